package org.fedometer.cli.agent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.client.AgentOption;
import picocli.CommandLine.Option;

/**
 * Options of custom stages. The weaver in the agent's jar validates them in this process, so that
 * invalid ones affect no Fedora.
 */
public final class CustomStageOptions {
  @Option(
      names = "--stage",
      paramLabel = "NAME=POINTCUT",
      description =
          "Custom stage, such as my.reader='execution(*"
              + " org.fcrepo.server.storage.DOManager.getReader(..))'. Repeatable.")
  private List<String> stages = List.of();

  @Option(
      names = "--aop",
      paramLabel = "FILE",
      description = "Custom stages from the concrete aspects of an aop.xml.")
  private Path aop;

  public boolean areGiven() {
    return !stages.isEmpty() || aop != null;
  }

  /**
   * @throws IllegalArgumentException if a stage is invalid; the message names it and the cause
   */
  public Map<String, String> agentOptions(Path agentJar) {
    requireReadable(aop);
    Map<String, String> pointcuts = pointcuts();
    Map<String, String> options = new LinkedHashMap<>();
    if (areGiven()) {
      String file = aop == null ? "" : aop.toAbsolutePath().normalize().toString();
      new AgentJar(agentJar)
          .customStages(pointcuts, file)
          .forEach((name, text) -> options.put(AgentOption.STAGE_PREFIX + name, text));
    }
    return options;
  }

  /** Checks here rather than in the agent, whose message would be about Fedora's user. */
  private static void requireReadable(Path file) {
    if (file == null) {
      return;
    }
    if (!Files.exists(file)) {
      throw new IllegalArgumentException("--aop " + file + ": there is no such file");
    }
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException("--aop " + file + ": it is not a regular file");
    }
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("--aop " + file + ": this user may not read it");
    }
  }

  private Map<String, String> pointcuts() {
    Map<String, String> pointcuts = new LinkedHashMap<>();
    for (String stage : stages) {
      int equals = stage.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "--stage %s: give NAME=POINTCUT, in single quotes for the shell".formatted(stage));
      }
      String name = stage.substring(0, equals).strip();
      if (pointcuts.put(name, stage.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException(
            "--stage %s is given twice; join the pointcuts with ||".formatted(name));
      }
    }
    return pointcuts;
  }
}
