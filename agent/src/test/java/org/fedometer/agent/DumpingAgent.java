package org.fedometer.agent;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A second agent, which comes after ours and so sees what the JVM is given for each class of
 * Fedora's in the end.
 */
public final class DumpingAgent {

  private DumpingAgent() {}

  /** Arguments: {@code go} or {@code stay}, and a folder for the class files. */
  public static void agentmain(String arguments, Instrumentation instrumentation) throws Exception {
    Path folder = Path.of(arguments.substring(arguments.indexOf(' ') + 1));
    Files.createDirectory(folder);
    ClassFileTransformer dump = new Dump(folder);
    instrumentation.addTransformer(dump, true);
    if (arguments.startsWith("go ")) {
      Class<?>[] fedoras =
          Arrays.stream(instrumentation.getAllLoadedClasses())
              .filter(type -> type.getName().startsWith("org.fcrepo."))
              .toArray(Class<?>[]::new);
      for (Class<?> type : fedoras) {
        link(type);
      }
      instrumentation.retransformClasses(fedoras);
      instrumentation.removeTransformer(dump);
    }
  }

  /** A class that Fedora links meanwhile would be dumped with broken bytecode. */
  private static void link(Class<?> type) {
    try {
      type.getFields();
    } catch (LinkageError cannotBeLinked) {
      // The JVM reports it again when the class is transformed.
    }
  }

  static void load(long pid, Path jar, String mode, Path folder) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
    try {
      machine.loadAgent(jar.toString(), mode + " " + folder);
    } finally {
      machine.detach();
    }
  }

  static Map<String, byte[]> read(Path folder) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        classes.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return classes;
  }

  private record Dump(Path folder) implements ClassFileTransformer {
    @Override
    public byte[] transform(
        ClassLoader loader,
        String internalName,
        Class<?> loaded,
        ProtectionDomain domain,
        byte[] bytecode) {
      if (internalName.startsWith("org/fcrepo/")) {
        try {
          Files.write(folder.resolve(internalName.replace('/', '.')), bytecode);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return null;
    }
  }
}
