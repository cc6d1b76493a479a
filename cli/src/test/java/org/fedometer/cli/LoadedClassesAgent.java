package org.fedometer.cli;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent for a test: asks the class loader of Fedora's webapp for classes by name, and writes
 * down which of them it gets out of our jar.
 */
public final class LoadedClassesAgent {
  private static final String OF_FEDORA = "org.fcrepo.server.storage.DefaultDOManager";

  private LoadedClassesAgent() {}

  /** Arguments: file with names, a line each; it is replaced by those that were found. */
  public static void agentmain(String arguments, Instrumentation instrumentation)
      throws IOException {
    Path names = Path.of(arguments);
    List<String> seen = new ArrayList<>();
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(OF_FEDORA)) {
        for (String name : Files.readAllLines(names)) {
          if (isOfAgentJar(loaded.getClassLoader(), name)) {
            seen.add(name);
          }
        }
      }
    }
    Files.write(names, seen);
  }

  private static boolean isOfAgentJar(ClassLoader fedoras, String name) {
    try {
      CodeSource source = Class.forName(name, false, fedoras).getProtectionDomain().getCodeSource();
      return source != null && source.getLocation().getPath().endsWith("fedometer-agent.jar");
    } catch (ClassNotFoundException | LinkageError hidden) {
      return false;
    }
  }
}
