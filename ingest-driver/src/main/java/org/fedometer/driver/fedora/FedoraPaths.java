package org.fedometer.driver.fedora;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Paths below Fedora's web application. Stateless, thread-safe. */
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
   * Returns a search for PIDs, to which a query or a page's token is appended.
   *
   * @param maxResults per page; Fedora may return fewer
   */
  static String search(int maxResults) {
    return "/objects?pid=true&resultFormat=xml&maxResults=" + maxResults;
  }

  /**
   * Returns a triple query in SPO, the only language that every triplestore supports.
   *
   * @param format such as {@code count}
   */
  static String triples(String format, String query) {
    return "/risearch?type=triples&lang=spo&format=" + format + "&query=" + encode(query);
  }
}
