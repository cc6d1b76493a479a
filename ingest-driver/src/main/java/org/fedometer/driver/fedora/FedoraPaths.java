package org.fedometer.driver.fedora;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Addresses below Fedora's web application: those of its REST interface for objects and for the
 * field search, and those of its resource index search. Stateless, any thread.
 */
final class FedoraPaths {

  private FedoraPaths() {}

  /** A value as a part of a query. */
  static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /**
   * @throws IllegalArgumentException if Fedora could have no object of that PID
   */
  static String object(String pid) {
    return "/objects/" + Pid.inPath(pid);
  }

  static String datastreams(String pid) {
    return object(pid) + "/datastreams";
  }

  static String datastream(String pid, String id) {
    return datastreams(pid) + "/" + Pid.datastreamInPath(id);
  }

  /** A datastream's content as it is now. */
  static String content(String pid, String id) {
    return datastream(pid, id) + "/content";
  }

  /**
   * A search that gives PIDs; what is searched for, or the token of a page, is to follow.
   *
   * @param mostResults in one answer; Fedora may give fewer
   */
  static String search(int mostResults) {
    return "/objects?pid=true&resultFormat=xml&maxResults=" + mostResults;
  }

  /**
   * Asks for triples in the one language that every triplestore answers.
   *
   * @param format such as {@code count}
   */
  static String triples(String format, String query) {
    return "/risearch?type=triples&lang=spo&format=" + format + "&query=" + encode(query);
  }
}
