package org.fedometer.attach;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.attach.FedoraEvidence.Certainty;

/** Detects Fedora by a JVM's command line, environment, open files, and web applications. */
final class FedoraDetector {
  private static final String HOME_PROPERTY = "-Dfedora.home=";
  private static final String HOME_VARIABLE = "FEDORA_HOME";

  /** Fedora's own command line programs have its home and its libraries, too. */
  private static final List<String> PROGRAMS =
      List.of("org.fcrepo.client.", "org.fcrepo.server.utilities.", "fcrepo-installer");

  private static final List<String> CONTAINERS =
      List.of("org.apache.catalina.", "org.eclipse.jetty.", "org.mortbay.", "org.jboss.");
  private static final Pattern SERVER_JAR =
      Pattern.compile("(?:.*/)?fcrepo-(?:server|webapp)[^/]*\\.[jw]ar");
  private static final Pattern HOME_PARAMETER =
      Pattern.compile(
          "<param-name>\\s*fedora\\.home\\s*</param-name>\\s*<param-value>\\s*([^<]*?)\\s*</");
  private static final int MAX_WEBAPPS = 500;

  private final ProcessFiles process;
  private final List<String> commandLine;
  private final Map<String, String> environment;
  private final Collection<String> open;
  private final Collection<String> mapped;

  FedoraDetector(
      ProcessFiles process,
      List<String> commandLine,
      Map<String, String> environment,
      Collection<String> open,
      Collection<String> mapped) {
    this.process = process;
    this.commandLine = commandLine;
    this.environment = environment;
    this.open = open;
    this.mapped = mapped;
  }

  FedoraEvidence detect() {
    if (commandLine.stream().anyMatch(FedoraDetector::isProgram)) {
      return FedoraEvidence.none();
    }
    String property = option(HOME_PROPERTY);
    boolean container = isContainer();
    if (container && !property.isEmpty()) {
      return new FedoraEvidence(Certainty.CERTAIN, property, "-Dfedora.home");
    }
    FedoraEvidence webapp = container ? webapp() : FedoraEvidence.none();
    String home =
        !property.isEmpty()
            ? property
            : !webapp.home().isEmpty()
                ? webapp.home()
                : environment.getOrDefault(HOME_VARIABLE, "");
    if (open.stream().anyMatch(FedoraDetector::isServerJar)
        || mapped.stream().anyMatch(FedoraDetector::isServerJar)) {
      return new FedoraEvidence(Certainty.CERTAIN, home, "Fedora's libraries are open");
    }
    if (webapp.isLikelyFedora()) {
      return new FedoraEvidence(webapp.certainty(), home, webapp.reason());
    }
    if (!property.isEmpty()) {
      return new FedoraEvidence(Certainty.LIKELY, home, "-Dfedora.home, but no servlet container");
    }
    if (container && !home.isEmpty()) {
      return new FedoraEvidence(Certainty.LIKELY, home, HOME_VARIABLE + " is set");
    }
    return FedoraEvidence.none();
  }

  private static boolean isProgram(String argument) {
    return PROGRAMS.stream().anyMatch(argument::startsWith);
  }

  private static boolean isServerJar(String path) {
    return SERVER_JAR.matcher(path).matches();
  }

  private boolean isContainer() {
    return commandLine.stream()
            .anyMatch(argument -> CONTAINERS.stream().anyMatch(argument::startsWith))
        || !option("-Dcatalina.base=").isEmpty()
        || !option("-Djetty.home=").isEmpty();
  }

  private String option(String start) {
    return commandLine.stream()
        .filter(argument -> argument.startsWith(start))
        .reduce((first, last) -> last)
        .map(argument -> argument.substring(start.length()))
        .orElse("");
  }

  private FedoraEvidence webapp() {
    String base = option("-Dcatalina.base=");
    if (base.isEmpty()) {
      base = option("-Dcatalina.home=");
    }
    Optional<Path> folder =
        ProcessFiles.path(base).filter(Path::isAbsolute).map(process::asSeenByProcess);
    if (folder.isEmpty()) {
      return FedoraEvidence.none();
    }
    FedoraEvidence found = FedoraEvidence.none();
    int seen = 0;
    try (DirectoryStream<Path> webapps =
        Files.newDirectoryStream(folder.get().resolve("webapps"))) {
      for (Path webapp : webapps) {
        if (++seen > MAX_WEBAPPS) {
          break;
        }
        if (hasServerJar(webapp.resolve("WEB-INF/lib"))) {
          return new FedoraEvidence(
              Certainty.CERTAIN,
              homeIn(webapp.resolve("WEB-INF/web.xml")),
              "webapps/" + webapp.getFileName() + " is Fedora");
        }
        if (webapp.getFileName().toString().toLowerCase(Locale.ROOT).startsWith("fedora")) {
          found =
              new FedoraEvidence(
                  Certainty.LIKELY,
                  homeIn(webapp.resolve("WEB-INF/web.xml")),
                  "webapps/" + webapp.getFileName());
        }
      }
    } catch (IOException | DirectoryIteratorException notReadable) {
      return found;
    }
    return found;
  }

  private static boolean hasServerJar(Path libraries) {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(libraries, "fcrepo-server*.jar")) {
      return jars.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException notThere) {
      return false;
    }
  }

  private static String homeIn(Path webXml) {
    try {
      Matcher home = HOME_PARAMETER.matcher(Files.readString(webXml));
      return home.find() ? home.group(1) : "";
    } catch (IOException notThere) {
      return "";
    }
  }
}
