package org.fedometer.collector.http;

import java.util.Map;
import java.util.TreeMap;

/** Maps paths to pages. Any thread. */
final class Routes {
  /** {@code open}: accessible without the token; the page sees whether the request is trusted. */
  record Route(Page page, boolean open) {}

  private final Map<String, Route> byPath = new TreeMap<>();
  private final Map<String, Route> byFolder = new TreeMap<>();

  /** Adds a page that needs no token. */
  Routes open(String path, Page page) {
    byPath.put(path, new Route(page, true));
    return this;
  }

  /**
   * Adds a page that needs no token, for all paths directly below the folder, which ends with a
   * slash.
   */
  Routes openBelow(String folder, Page page) {
    byFolder.put(folder, new Route(page, true));
    return this;
  }

  /** Adds a page that needs the token if one is set. */
  Routes guarded(String path, Page page) {
    byPath.put(path, new Route(page, false));
    return this;
  }

  /** Returns null if there is none. */
  Route at(String path) {
    Route route = byPath.get(path);
    return route != null ? route : byFolder.get(path.substring(0, path.lastIndexOf('/') + 1));
  }
}
