package org.fedometer.profiles.stack.home;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.stack.program.LinuxProcess;
import org.fedometer.profiles.stack.program.StackFiles;

/**
 * Content of {@code stack.json} in a stack's home, enough for another process to find, start and
 * stop the stack. Written before the rest of the stack, and after each process it starts.
 *
 * @param schema the version of this document's format
 * @param id the random name of the entry in the user's registry
 * @param provisioned whether the home is complete
 * @param database the installation of the database server, or null if it runs in Fedora
 * @param session the ports and processes of the last start
 */
public record StackDocument(
    int schema,
    String id,
    Plan plan,
    boolean provisioned,
    Installation database,
    List<StackArtifact> artifacts,
    Session session) {

  private static final int SCHEMA = 1;

  /** Limit for the document; a stack has a few kilobytes of settings and processes. */
  private static final int MAX_DOCUMENT_BYTES = 4 << 20;

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** Treats null artifacts, as from a file without any, as an empty list. */
  public StackDocument {
    artifacts = artifacts == null ? List.of() : List.copyOf(artifacts);
  }

  /**
   * @param profile the profile's name, with the changes for this stack
   * @param choices the choice for each dimension
   * @param literalLimitBytes the longest literal of the triplestore
   * @param httpPort the requested port, 0 for a free one
   * @param jvmArguments the caller's arguments
   * @param startTimeoutSeconds the time limit for Fedora's first answer
   */
  public record Plan(
      String profile,
      Map<String, String> choices,
      Map<String, String> settings,
      int literalLimitBytes,
      int httpPort,
      String javaHome,
      List<String> jvmArguments,
      long startTimeoutSeconds) {}

  /**
   * @param programs the folder of the database server's programs; empty if it is external
   * @param prefix the command through which they start, because they refuse to run as root
   * @param version the version, such as {@code PostgreSQL 18.6}
   */
  public record Installation(String programs, List<String> prefix, String version) {}

  /**
   * @param httpPort Fedora's port, 0 before the first start
   * @param databasePort the database server's port, 0 if there is none
   * @param processes the processes that were started and not yet stopped
   */
  public record Session(
      int httpPort, int databasePort, List<String> command, List<LinuxProcess> processes) {}

  /**
   * Returns the document of a new stack: not provisioned, without a database, ports or processes.
   */
  public static StackDocument of(String id, Profile profile, StackOptions options, Path javaHome) {
    Plan plan =
        new Plan(
            profile.label(),
            profile.choicesAsText(),
            profile.settingsAsText(),
            profile.literalLimitBytes(),
            options.httpPort(),
            javaHome.toString(),
            options.jvmArguments(),
            options.startTimeout().toSeconds());
    return new StackDocument(
        SCHEMA, id, plan, false, null, List.of(), new Session(0, 0, List.of(), List.of()));
  }

  /**
   * Reads the document; empty if there is none.
   *
   * @throws IOException with a message of one sentence, if the file is something else or of another
   *     version
   */
  public static Optional<StackDocument> read(Path file) throws IOException {
    try {
      // Opening a pipe would block forever.
      if (Files.exists(file)
          && (!Files.isRegularFile(file) || Files.size(file) > MAX_DOCUMENT_BYTES)) {
        throw notOurs(file, null);
      }
      JsonNode tree = JSON.readTree(Files.readAllBytes(file));
      if (isOfAnotherSchema(tree)) {
        throw new IOException(
            ("%s was written by another version of Fedometer (schema %d, this version reads"
                    + " %d); take that stack down with the version that created it, or choose another"
                    + " folder")
                .formatted(file, tree.get("schema").asInt(), SCHEMA));
      }
      StackDocument document = JSON.treeToValue(tree, StackDocument.class);
      if (document == null
          || document.schema() != SCHEMA
          || document.id() == null
          || document.plan() == null
          || document.plan().settings() == null
          || document.session() == null
          || document.session().processes() == null
          || document.session().processes().stream().anyMatch(StackDocument::isNoProcess)) {
        throw notOurs(file, null);
      }
      return Optional.of(document);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw notOurs(file, e);
    }
  }

  private static boolean isNoProcess(LinuxProcess process) {
    return process == null || process.role() == null || process.bootId() == null;
  }

  private static boolean isOfAnotherSchema(JsonNode tree) {
    return tree.path("schema").isInt()
        && tree.get("schema").asInt() != SCHEMA
        && tree.has("id")
        && tree.has("plan")
        && tree.has("session");
  }

  /** Returns the failure; other programs use that name too, and their files must not be deleted. */
  private static IOException notOurs(Path file, JsonProcessingException cause) {
    return new IOException(
        file
            + " is damaged, or was not written by this version of Fedometer; choose another"
            + " folder",
        cause);
  }

  /** Replaces the file. Only the owner can read it, and sees the old document or the new one. */
  public void write(Path file) throws IOException {
    StackFiles.writePrivately(file, JSON.writeValueAsString(this));
  }

  /**
   * @param name a name such as {@code database.product}
   * @throws IllegalStateException if the profile has no such setting
   */
  public String setting(String name) {
    String value = plan.settings().get(name);
    if (value == null) {
      throw new IllegalStateException("profile " + plan.profile() + " has no setting " + name);
    }
    return value;
  }

  /** Returns the coordinates of the JDBC driver that replaces Fedora's own, if any. */
  public Optional<String> driver() {
    return Optional.ofNullable(plan.settings().get("database.driver"))
        .filter(driver -> !driver.equals("war"));
  }

  public List<String> settingAsList(String name) {
    String value = setting(name);
    return value.isEmpty() ? List.of() : List.of(value.split(" "));
  }

  /** Returns a copy with a complete home; {@code newDatabase} is null if it runs in Fedora. */
  public StackDocument withProvisioned(Installation newDatabase) {
    return new StackDocument(schema, id, plan, true, newDatabase, artifacts, session);
  }

  public StackDocument withArtifacts(List<StackArtifact> newArtifacts) {
    return new StackDocument(schema, id, plan, provisioned, database, newArtifacts, session);
  }

  /** Returns a copy with these as all arguments of the caller, from Fedora's next start on. */
  public StackDocument withJvmArguments(List<String> arguments) {
    return withPlan(plan.httpPort(), List.copyOf(arguments));
  }

  /** Returns a copy with a requested port for Fedora, as opposed to its current one. */
  public StackDocument withHttpPort(int port) {
    return withPlan(port, plan.jvmArguments());
  }

  private StackDocument withPlan(int httpPort, List<String> jvmArguments) {
    return new StackDocument(
        schema,
        id,
        new Plan(
            plan.profile(),
            plan.choices(),
            plan.settings(),
            plan.literalLimitBytes(),
            httpPort,
            plan.javaHome(),
            jvmArguments,
            plan.startTimeoutSeconds()),
        provisioned,
        database,
        artifacts,
        session);
  }

  /**
   * Returns Fedora's port at the next start, by which clients identify the stack; 0 for a free one.
   */
  public int nextHttpPort() {
    return plan.httpPort() == 0 ? session.httpPort() : plan.httpPort();
  }

  /**
   * Returns a copy with the ports of the current start; {@code databasePort} is 0 if there is none.
   */
  public StackDocument withPorts(int httpPort, int databasePort) {
    return with(new Session(httpPort, databasePort, session.command(), session.processes()));
  }

  public StackDocument withCommand(List<String> command) {
    return with(
        new Session(session.httpPort(), session.databasePort(), command, session.processes()));
  }

  public StackDocument withProcess(LinuxProcess process) {
    List<LinuxProcess> more = new ArrayList<>(session.processes());
    more.add(process);
    return withProcesses(more);
  }

  /** Returns a copy with these as all processes that were started and not yet stopped. */
  public StackDocument withProcesses(List<LinuxProcess> processes) {
    return with(
        new Session(
            session.httpPort(), session.databasePort(), session.command(), List.copyOf(processes)));
  }

  private StackDocument with(Session newSession) {
    return new StackDocument(schema, id, plan, provisioned, database, artifacts, newSession);
  }
}
