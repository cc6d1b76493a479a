package org.fedometer.experiments.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fedometer.experiments.collect.RunShipment;
import org.fedometer.experiments.job.Reason;
import org.fedometer.profiles.stack.Stack;

/**
 * Sends a stack's configuration, secrets masked, and its logs and recordings, which have none, into
 * the run folder. Confined to the job's thread.
 */
public final class StackShipment {
  private final RunShipment shipment;

  /** Paths in the run folder by log in the stack's home. */
  private final Map<Path, String> logs = new LinkedHashMap<>();

  public StackShipment(RunShipment shipment) {
    this.shipment = shipment;
  }

  /** Returns paths in the run folder. */
  public List<String> configuration(Stack stack) throws IOException {
    List<String> paths = new ArrayList<>();
    for (Map.Entry<String, Path> file : stack.state().configurationFiles().entrySet()) {
      String path = "config/" + file.getKey();
      shipment.document(
          path, stack.state().masked(file.getValue()).getBytes(StandardCharsets.UTF_8));
      paths.add(path);
    }
    return paths;
  }

  /**
   * Returns the path in the run folder, if the database is external and readable; the stack must be
   * running.
   *
   * @param notes gets a sentence if the query fails
   */
  public Optional<String> databaseSettings(Stack stack, Consumer<String> notes) throws IOException {
    Optional<String> settings;
    try {
      settings = ExternalDatabaseSettings.of(stack);
    } catch (SQLException e) {
      notes.accept("The external database's settings are not in the record: " + Reason.of(e));
      return Optional.empty();
    }
    if (settings.isPresent()) {
      shipment.document(
          ExternalDatabaseSettings.PATH, settings.get().getBytes(StandardCharsets.UTF_8));
    }
    return settings.map(text -> ExternalDatabaseSettings.PATH);
  }

  /** Returns paths in the run folder. Call when the logs are finished. */
  public List<String> logs(Stack stack) throws IOException {
    for (Map.Entry<String, Path> log : stack.logs().entrySet()) {
      String path = "logs/" + log.getKey();
      shipment.log(path, log.getValue());
      logs.put(log.getValue(), path);
    }
    return List.copyOf(logs.values());
  }

  /** Call when Fedora has ended. */
  public void recordings(Stack stack) throws IOException {
    for (Map.Entry<String, Path> recording : stack.state().recordings().entrySet()) {
      shipment.file("recordings/" + recording.getKey(), recording.getValue());
    }
  }

  /** Returns the path in the run folder of a shipped log. */
  public Optional<String> shipped(Path log) {
    return Optional.ofNullable(logs.get(log));
  }
}
