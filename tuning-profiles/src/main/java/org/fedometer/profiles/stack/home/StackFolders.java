package org.fedometer.profiles.stack.home;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Where things lie below a stack's home, whether they are there or not. Immutable. */
public record StackFolders(Path home) {

  /** Of a log of garbage collections, and of recordings, besides the newest. */
  public static final int MAX_PARTS = 10;

  public Path document() {
    return home.resolve("stack.json");
  }

  /** Folder of the passwords, which only the owner may enter. */
  public Path secrets() {
    return home.resolve("secrets");
  }

  /** Of Fedora's administrator; the file holds nothing else. */
  public Path adminPassword() {
    return secrets().resolve("admin-password");
  }

  /** Of the user as which Fedora calls itself. */
  Path internalPassword() {
    return secrets().resolve("internal-password");
  }

  /** Of the user as which Fedora connects to its database. */
  public Path databasePassword() {
    return secrets().resolve("database-password");
  }

  /** Of the administrator of a database server that is the stack's own. */
  public Path databaseSuperuserPassword() {
    return secrets().resolve("database-superuser-password");
  }

  /** Folder of all logs but Fedora's own and Tomcat's. */
  public Path logs() {
    return home.resolve("logs");
  }

  /** What Fedora's installer and the programs that make the database have printed. */
  public Path installLog() {
    return logs().resolve("install.log");
  }

  /** What Fedora's JVM has printed, one start behind the other. */
  public Path consoleLog() {
    return logs().resolve("fedora-console.log");
  }

  /** Of Fedora's JVM; older parts of it have a number behind the name. */
  public Path gcLog() {
    return logs().resolve("gc.log");
  }

  /** An older part of the log of garbage collections, 0 to {@value #MAX_PARTS} - 1. */
  public Path gcLogPart(int number) {
    return gcLog().resolveSibling(gcLog().getFileName() + "." + number);
  }

  /** The newest part of the log, and where older ones may be, the oldest anywhere. */
  public List<Path> gcLogParts() {
    return Stream.concat(
            Stream.of(gcLog()), IntStream.range(0, MAX_PARTS).mapToObj(this::gcLogPart))
        .toList();
  }

  /** What Java Flight Recorder has written when Fedora's JVM ended. */
  public Path flightRecording() {
    return logs().resolve("fedora.jfr");
  }

  /** The same of an earlier start, 0 to {@value #MAX_PARTS} - 1. */
  public Path earlierFlightRecording(int number) {
    return logs().resolve("fedora." + number + ".jfr");
  }

  public List<Path> flightRecordings() {
    return Stream.concat(
            Stream.of(flightRecording()),
            IntStream.range(0, MAX_PARTS).mapToObj(this::earlierFlightRecording))
        .toList();
  }

  /** Which events Java Flight Recorder records. */
  public Path flightRecordingSettings() {
    return home.resolve("fedora.jfc");
  }

  /** Of a server of that product, such as {@code postgresql}. */
  public Path databaseLog(String product) {
    return logs().resolve(product + ".log");
  }

  /** Of Derby in any JVM that works on the repository; missing where there is none. */
  public Path derbyLog() {
    return logs().resolve("derby.log");
  }

  /** Answers for Fedora's installer; the administrator's password is one of them. */
  public Path installProperties() {
    return home.resolve("install.properties");
  }

  /** What Fedora calls FEDORA_HOME. */
  public Path fedora() {
    return home.resolve("fedora");
  }

  /** Folder of fedora.fcfg and of all else that Fedora is configured by. */
  public Path fedoraConfiguration() {
    return fedora().resolve("server/config");
  }

  /** Fedora's XACML policies; there is none before its first start. */
  public Path policies() {
    return fedora().resolve("data/fedora-xacml-policies");
  }

  public Path fedoraLog() {
    return fedora().resolve("server/logs/fedora.log");
  }

  /** Folder of the Tomcat that Fedora's installer brings. */
  public Path tomcat() {
    return fedora().resolve("tomcat");
  }

  /** Folder of Fedora's web application, unpacked. */
  public Path webapp() {
    return tomcat().resolve("webapps/fedora");
  }

  public Path database(String product) {
    return home.resolve("database").resolve(product);
  }
}
