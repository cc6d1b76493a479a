package org.fedometer.profiles.stack;

import java.nio.file.Path;

/** Where things lie below a stack's home. */
record StackFolders(Path home) {

  Path document() {
    return home.resolve("stack.json");
  }

  Path secrets() {
    return home.resolve("secrets");
  }

  Path adminPassword() {
    return secrets().resolve("admin-password");
  }

  /** Of the user as which Fedora calls itself. */
  Path internalPassword() {
    return secrets().resolve("internal-password");
  }

  Path databasePassword() {
    return secrets().resolve("database-password");
  }

  Path databaseSuperuserPassword() {
    return secrets().resolve("database-superuser-password");
  }

  Path logs() {
    return home.resolve("logs");
  }

  Path installLog() {
    return logs().resolve("install.log");
  }

  Path consoleLog() {
    return logs().resolve("fedora-console.log");
  }

  /** Of Fedora's JVM; older parts of it have a number behind the name. */
  Path gcLog() {
    return logs().resolve("gc.log");
  }

  /** What Java Flight Recorder has written when Fedora's JVM ended. */
  Path flightRecording() {
    return logs().resolve("fedora.jfr");
  }

  /** Which events Java Flight Recorder records. */
  Path flightRecordingSettings() {
    return home.resolve("fedora.jfc");
  }

  /** Of a server of that product, such as {@code postgresql}. */
  Path databaseLog(String product) {
    return logs().resolve(product + ".log");
  }

  Path derbyLog() {
    return logs().resolve("derby.log");
  }

  Path installProperties() {
    return home.resolve("install.properties");
  }

  /** What Fedora calls FEDORA_HOME. */
  Path fedora() {
    return home.resolve("fedora");
  }

  Path fedoraConfiguration() {
    return fedora().resolve("server/config");
  }

  /** Fedora's XACML policies; there is none before its first start. */
  Path policies() {
    return fedora().resolve("data/fedora-xacml-policies");
  }

  Path fedoraLog() {
    return fedora().resolve("server/logs/fedora.log");
  }

  Path tomcat() {
    return fedora().resolve("tomcat");
  }

  Path webapp() {
    return tomcat().resolve("webapps/fedora");
  }

  /** The files of a database of that product. */
  Path database(String product) {
    return home.resolve("database").resolve(product);
  }
}
