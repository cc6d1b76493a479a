package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Data on Fedora's JVM, queried with {@code jcmd} of this Java. */
final class FedoraJvm {
  private final long pid;

  FedoraJvm(ProcessHandle process) {
    this.pid = process.pid();
  }

  String threads() throws IOException, InterruptedException {
    return jcmd("Thread.print");
  }

  /**
   * Objects of a class that are reachable; collects all others before.
   *
   * @param className without its array's or nested classes
   */
  long live(String className) throws IOException, InterruptedException {
    Matcher line =
        Pattern.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +" + Pattern.quote(className) + "(?: .*)?$")
            .matcher(jcmd("GC.class_histogram"));
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }

  /**
   * Returns the number of reachable classes, after unloading all others. The JVM's counters do not
   * help: they count each woven or restored class again.
   */
  long classes() throws IOException, InterruptedException {
    return live("java.lang.Class");
  }

  /** A question that is not answered within minutes is a failure. */
  private String jcmd(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    process
        .onExit()
        .orTimeout(3, TimeUnit.MINUTES)
        .exceptionally(late -> process.destroyForcibly());
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
