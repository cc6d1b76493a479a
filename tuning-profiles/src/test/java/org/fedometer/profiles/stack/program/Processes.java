package org.fedometer.profiles.stack.program;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Running processes of this machine, for tests that leave none behind. */
public final class Processes {

  private Processes() {}

  /** The command lines of living processes that name a folder. */
  public static List<String> naming(Path folder) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != ProcessHandle.current().pid())
        .flatMap(process -> LinuxProcess.of("any", process.pid()).stream())
        .map(process -> process.pid() + " " + String.join(" ", commandLine(process.pid())))
        .filter(line -> line.contains(folder.toString()))
        .toList();
  }

  /** The words of a process's command line; none if it is gone. */
  public static List<String> commandLine(long pid) {
    try {
      Path file = Path.of("/proc", Long.toString(pid), "cmdline");
      return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }
}
