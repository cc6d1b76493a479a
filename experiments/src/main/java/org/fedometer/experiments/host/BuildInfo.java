package org.fedometer.experiments.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;

/**
 * The version of this Fedometer.
 *
 * @param gitCommit full commit, with {@code -dirty} appended if the work tree had changes; {@code
 *     unknown} outside a checkout
 */
public record BuildInfo(String version, String gitCommit) {

  /** Set by the launcher of a source checkout, whose commit may be newer than the build. */
  private static final String COMMIT_VARIABLE = "FEDOMETER_GIT_COMMIT";

  public static BuildInfo current() {
    return from(System.getenv());
  }

  static BuildInfo from(Map<String, String> environment) {
    Properties built = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        built.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String commit = environment.get(COMMIT_VARIABLE);
    if (commit == null || commit.isBlank()) {
      commit = built.getProperty("git.commit.id.full", "unknown");
      if ("true".equals(built.getProperty("git.dirty"))) {
        commit += "-dirty";
      }
    }
    return new BuildInfo(built.getProperty("git.build.version", "unknown"), commit);
  }
}
