package org.fedometer.profiles.stack.home;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Paths below a stack's home, existing or not. Immutable. */
public record StackFolders(Path home) {

  /** Number of older garbage collection logs, and of older recordings. */
  public static final int MAX_PARTS = 10;

  public Path document() {
    return home.resolve("stack.json");
  }

  /** Returns the folder of the passwords, which only the owner may enter. */
  public Path secrets() {
    return home.resolve("secrets");
  }

  /** Returns the password file of Fedora's administrator; it holds nothing else. */
  public Path adminPassword() {
    return secrets().resolve("admin-password");
  }

  /** Returns the password file of the user as which Fedora calls itself. */
  Path internalPassword() {
    return secrets().resolve("internal-password");
  }

  /** Returns the password file of the user as which Fedora connects to its database. */
  public Path databasePassword() {
    return secrets().resolve("database-password");
  }

  /** Returns the password file of the administrator of the stack's own database server. */
  public Path databaseSuperuserPassword() {
    return secrets().resolve("database-superuser-password");
  }

  /** Returns the folder of all logs except Fedora's own and Tomcat's. */
  public Path logs() {
    return home.resolve("logs");
  }

  /** Returns the output of Fedora's installer and of the programs that create the database. */
  public Path installLog() {
    return logs().resolve("install.log");
  }

  /** Returns the output of Fedora's JVM, appended at each start. */
  public Path consoleLog() {
    return logs().resolve("fedora-console.log");
  }

  /**
   * Returns the garbage collection log of Fedora's JVM; older parts have a number after the name.
   */
  public Path gcLog() {
    return logs().resolve("gc.log");
  }

  /** Returns an older part of the garbage collection log, 0 to {@value #MAX_PARTS} - 1. */
  public Path gcLogPart(int number) {
    return gcLog().resolveSibling(gcLog().getFileName() + "." + number);
  }

  /** Returns the newest part of the log, and possible older parts in no order of age. */
  public List<Path> gcLogParts() {
    return Stream.concat(
            Stream.of(gcLog()), IntStream.range(0, MAX_PARTS).mapToObj(this::gcLogPart))
        .toList();
  }

  /** Returns the recording that Java Flight Recorder wrote when Fedora's JVM ended. */
  public Path flightRecording() {
    return logs().resolve("fedora.jfr");
  }

  /** Returns the recording of an earlier start, 0 to {@value #MAX_PARTS} - 1. */
  public Path earlierFlightRecording(int number) {
    return logs().resolve("fedora." + number + ".jfr");
  }

  public List<Path> flightRecordings() {
    return Stream.concat(
            Stream.of(flightRecording()),
            IntStream.range(0, MAX_PARTS).mapToObj(this::earlierFlightRecording))
        .toList();
  }

  /** Returns the file that selects the events of Java Flight Recorder. */
  public Path flightRecordingSettings() {
    return home.resolve("fedora.jfc");
  }

  /** Returns the log of a server of that product, such as {@code postgresql}. */
  public Path databaseLog(String product) {
    return logs().resolve(product + ".log");
  }

  /** Returns Derby's log in any JVM that works on the repository; missing without Derby. */
  public Path derbyLog() {
    return logs().resolve("derby.log");
  }

  /** Returns the answers for Fedora's installer, including the administrator's password. */
  public Path installProperties() {
    return home.resolve("install.properties");
  }

  /** Returns the folder that Fedora calls FEDORA_HOME. */
  public Path fedora() {
    return home.resolve("fedora");
  }

  /** Returns the folder of fedora.fcfg and Fedora's other configuration. */
  public Path fedoraConfiguration() {
    return fedora().resolve("server/config");
  }

  /** Returns the folder of Fedora's XACML policies; missing before its first start. */
  public Path policies() {
    return fedora().resolve("data/fedora-xacml-policies");
  }

  public Path fedoraLog() {
    return fedora().resolve("server/logs/fedora.log");
  }

  /** Returns the folder of the Tomcat from Fedora's installer. */
  public Path tomcat() {
    return fedora().resolve("tomcat");
  }

  /** Returns the folder of Fedora's unpacked web application. */
  public Path webapp() {
    return tomcat().resolve("webapps/fedora");
  }

  public Path database(String product) {
    return home.resolve("database").resolve(product);
  }
}
