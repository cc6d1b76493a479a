package org.fedometer.driver.fedora;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Addresses below Fedora's web application. Stateless, any thread. */
final class FedoraPaths {

  private FedoraPaths() {}

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

  static String content(String pid, String id) {
    return datastream(pid, id) + "/content";
  }

  /**
   * A search that gives PIDs; what is searched for, or the token of a page, is to follow.
   *
   * @param maxResults in one answer; Fedora may give fewer
   */
  static String search(int maxResults) {
    return "/objects?pid=true&resultFormat=xml&maxResults=" + maxResults;
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
