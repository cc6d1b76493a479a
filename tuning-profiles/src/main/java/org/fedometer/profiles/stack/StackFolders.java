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

  Path databaseLog() {
    return logs().resolve("postgresql.log");
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

  Path fedoraLog() {
    return fedora().resolve("server/logs/fedora.log");
  }

  Path tomcat() {
    return fedora().resolve("tomcat");
  }

  Path webapp() {
    return tomcat().resolve("webapps/fedora");
  }

  Path derby() {
    return home.resolve("database/derby");
  }

  Path postgresql() {
    return home.resolve("database/postgresql");
  }
}
