package org.fedometer.profiles.stack.home;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Where things lie below a stack's home, whether they are there or not. Immutable. */
public record StackFolders(Path home) {

  /** Of a log of garbage collections, and of recordings, besides the newest. */
  public static final int MOST_PARTS = 10;

  public Path document() {
    return home.resolve("stack.json");
  }

  public Path secrets() {
    return home.resolve("secrets");
  }

  public Path adminPassword() {
    return secrets().resolve("admin-password");
  }

  /** Of the user as which Fedora calls itself. */
  Path internalPassword() {
    return secrets().resolve("internal-password");
  }

  public Path databasePassword() {
    return secrets().resolve("database-password");
  }

  public Path databaseSuperuserPassword() {
    return secrets().resolve("database-superuser-password");
  }

  public Path logs() {
    return home.resolve("logs");
  }

  public Path installLog() {
    return logs().resolve("install.log");
  }

  public Path consoleLog() {
    return logs().resolve("fedora-console.log");
  }

  /** Of Fedora's JVM; older parts of it have a number behind the name. */
  public Path gcLog() {
    return logs().resolve("gc.log");
  }

  /** An older part of the log of garbage collections, 0 to {@value #MOST_PARTS} - 1. */
  public Path gcLogPart(int number) {
    return gcLog().resolveSibling(gcLog().getFileName() + "." + number);
  }

  /** The newest part of the log, and where older ones may be, the oldest anywhere. */
  public List<Path> gcLogParts() {
    return Stream.concat(
            Stream.of(gcLog()), IntStream.range(0, MOST_PARTS).mapToObj(this::gcLogPart))
        .toList();
  }

  /** What Java Flight Recorder has written when Fedora's JVM ended. */
  public Path flightRecording() {
    return logs().resolve("fedora.jfr");
  }

  /** The same of an earlier start, 0 to {@value #MOST_PARTS} - 1. */
  public Path earlierFlightRecording(int number) {
    return logs().resolve("fedora." + number + ".jfr");
  }

  /** Where recordings may be. */
  public List<Path> flightRecordings() {
    return Stream.concat(
            Stream.of(flightRecording()),
            IntStream.range(0, MOST_PARTS).mapToObj(this::earlierFlightRecording))
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

  public Path derbyLog() {
    return logs().resolve("derby.log");
  }

  public Path installProperties() {
    return home.resolve("install.properties");
  }

  /** What Fedora calls FEDORA_HOME. */
  public Path fedora() {
    return home.resolve("fedora");
  }

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

  public Path tomcat() {
    return fedora().resolve("tomcat");
  }

  public Path webapp() {
    return tomcat().resolve("webapps/fedora");
  }

  /** The files of a database of that product. */
  public Path database(String product) {
    return home.resolve("database").resolve(product);
  }
}
