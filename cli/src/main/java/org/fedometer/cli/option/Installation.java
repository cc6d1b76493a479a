package org.fedometer.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.collector.BackgroundCollector;

/** The installed distribution that this process runs from: its agent, and its start command. */
public final class Installation {
  private final Path home;

  private Installation(Path home) {
    this.home = home;
  }

  /**
   * @throws IllegalStateException if the process was not started by {@code bin/fedometer}
   */
  public static Installation current() {
    String home = System.getProperty("fedometer.home");
    if (home == null || !Files.isDirectory(Path.of(home))) {
      throw new IllegalStateException(
          "started outside a distribution; use bin/fedometer of a distribution, or ./fedometer of a"
              + " source checkout");
    }
    return new Installation(Path.of(home).toAbsolutePath());
  }

  /** Returns the absolute path; the file may not exist. */
  public Path agentJar() {
    return home.resolve("agent").resolve("fedometer-agent.jar");
  }

  /** Returns the command line of the background collector. */
  List<String> backgroundCollector(Path store) {
    return List.of(
        home.resolve("bin").resolve("fedometer").toString(),
        "collect",
        "--background",
        "--listen",
        "127.0.0.1:0",
        "--store",
        store.toString(),
        "--log-file",
        BackgroundCollector.logOf(store).toString(),
        "--max-log-files",
        "1");
  }
}
