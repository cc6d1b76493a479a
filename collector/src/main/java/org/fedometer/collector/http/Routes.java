package org.fedometer.collector.http;

import java.util.Map;
import java.util.TreeMap;

/** Which page lies at which path. Any thread. */
final class Routes {
  /** {@code open}: strangers may ask; the page is told who asks. */
  record Route(Page page, boolean open) {}

  private final Map<String, Route> byPath = new TreeMap<>();
  private final Map<String, Route> byFolder = new TreeMap<>();

  /** For everybody, also without the token. */
  Routes open(String path, Page page) {
    byPath.put(path, new Route(page, true));
    return this;
  }

  /** For everybody, at all paths right below the folder, which ends with a slash. */
  Routes openBelow(String folder, Page page) {
    byFolder.put(folder, new Route(page, true));
    return this;
  }

  /** For those who show the token where one is asked for. */
  Routes guarded(String path, Page page) {
    byPath.put(path, new Route(page, false));
    return this;
  }

  /** Null where nothing is. */
  Route at(String path) {
    Route route = byPath.get(path);
    return route != null ? route : byFolder.get(path.substring(0, path.lastIndexOf('/') + 1));
  }
}
