package org.fedometer.attach;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Data of one process in {@code /proc/PID}. Each call reads again; unreadable or missing data is
 * empty. Thread-safe. The module that starts Fedoras has a similar class, {@code LinuxProcess};
 * neither module may depend on the other.
 */
final class ProcessFiles {
  private static final Path PROC = Path.of("/proc");

  /** Paths and arguments have the encoding of file names in the JVM. */
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private static final String DELETED = " (deleted)";
  private static final int SIGQUIT = 3;

  private final long pid;
  private final Path folder;

  private ProcessFiles(long pid, Path folder) {
    this.pid = pid;
    this.folder = folder;
  }

  static boolean isSupported() {
    return Files.isDirectory(PROC.resolve("self/ns"));
  }

  static ProcessFiles of(long pid) {
    return new ProcessFiles(pid, PROC.resolve(Long.toString(pid)));
  }

  static ProcessFiles ofSelf() {
    return of(ProcessHandle.current().pid());
  }

  /** Returns all processes that this user may see. */
  static List<ProcessFiles> all() throws IOException {
    List<ProcessFiles> all = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[1-9]*")) {
      for (Path folder : folders) {
        try {
          all.add(of(Long.parseLong(folder.getFileName().toString())));
        } catch (NumberFormatException e) {
          // Not a process.
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  long pid() {
    return pid;
  }

  boolean exists() {
    return Files.isDirectory(folder);
  }

  /** Returns whether the files readable only by the process's user can be read. */
  boolean areReadable() {
    try {
      Files.readSymbolicLink(folder.resolve("exe"));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  List<String> commandLine() {
    return split(read("cmdline"));
  }

  Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String entry : split(read("environ"))) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        environment.put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
    return environment;
  }

  /** Returns the program's name as the kernel keeps it, at most 15 characters. */
  String name() {
    return read("comm").strip();
  }

  /** Returns the process of a thread; for a process its own number. */
  long process() {
    return number(status("Tgid")).orElse(pid);
  }

  /** Returns the number of the effective user; -1 if unknown. */
  long user() {
    return field(status("Uid"), 1).orElse(-1);
  }

  /** Returns the numbers of the effective and supplementary groups. */
  Set<Long> groups() {
    Set<Long> groups = new LinkedHashSet<>();
    field(status("Gid"), 1).ifPresent(groups::add);
    for (String group : status("Groups").split("\\s+")) {
      number(group).ifPresent(groups::add);
    }
    return groups;
  }

  /** Returns the PID in the process's own namespace; in a container it differs from this host's. */
  long innerPid() {
    String[] numbers = status("NSpid").split("\\s+");
    return number(numbers[numbers.length - 1]).orElse(pid);
  }

  /** Returns the state as in {@code ps}: R, S, D, T (stopped), Z (ended) and so on. */
  char state() {
    String state = status("State");
    return state.isEmpty() ? '?' : state.charAt(0);
  }

  /** Returns whether the process handles SIGQUIT; otherwise the signal would end it. */
  boolean handlesSigquit() {
    String caught = status("SigCgt");
    return caught.length() >= 8 && (Long.parseUnsignedLong(caught, 16) & 1L << (SIGQUIT - 1)) != 0;
  }

  Set<String> mappedFiles() {
    Set<String> files = new LinkedHashSet<>();
    read("maps")
        .lines()
        .forEach(
            line -> {
              int path = line.indexOf('/');
              if (path > 0) {
                files.add(withoutDeletedSuffix(line.substring(path)));
              }
            });
    return files;
  }

  Set<String> openFiles() {
    Set<String> files = new LinkedHashSet<>();
    try (DirectoryStream<Path> links = Files.newDirectoryStream(folder.resolve("fd"))) {
      for (Path link : links) {
        linkedTo(link).filter(path -> path.startsWith("/")).ifPresent(files::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return files;
    }
    return files;
  }

  /** Returns the process's namespace of a kind ({@code pid}, {@code mnt}, {@code net}). */
  Optional<String> namespace(String kind) {
    return linkedTo(folder.resolve("ns").resolve(kind));
  }

  /**
   * Converts a path from the kernel or a command line; empty if this JVM's encoding of names (ASCII
   * in the locale C) cannot represent it.
   */
  static Optional<Path> path(String text) {
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** Returns a path of the process as this process reaches it. */
  Path asSeenByProcess(Path path) {
    return folder.resolve("root").resolve(Path.of("/").relativize(path));
  }

  Path workingDirectory() {
    return folder.resolve("cwd");
  }

  private static Optional<String> linkedTo(Path link) {
    try {
      return Optional.of(withoutDeletedSuffix(Files.readSymbolicLink(link).toString()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static String withoutDeletedSuffix(String path) {
    return path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path;
  }

  private String status(String name) {
    String start = name + ":";
    return read("status")
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .findFirst()
        .orElse("");
  }

  private static OptionalLong field(String line, int index) {
    String[] fields = line.split("\\s+");
    return index < fields.length ? number(fields[index]) : OptionalLong.empty();
  }

  private static OptionalLong number(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private String read(String file) {
    try {
      byte[] bytes = Files.readAllBytes(folder.resolve(file));
      String text = new String(bytes, NAMES);
      return text.indexOf('\uFFFD') < 0 ? text : new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private static List<String> split(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("\0"));
  }
}
