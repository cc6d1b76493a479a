package org.fedometer.profiles.stack.java;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;

/** Arguments of Fedora's JVM that follow from a profile. Immutable. */
public record JvmArguments(StackDocument stack) {

  /** Below the limit for one log in a run folder, so that no part is cut. */
  private static final String GC_LOG_PART = "30m";

  /** First version with unified logging. */
  private static final int UNIFIED_LOGGING = 9;

  /**
   * Returns the arguments for the heap's minimum and maximum size, and for collections at Fedora's
   * request.
   */
  public List<String> heap() {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Xms" + stack.setting("heap.minimum"));
    arguments.add("-Xmx" + stack.setting("heap.maximum"));
    if (stack.setting("heap.disableExplicitGC").equals("true")) {
      arguments.add("-XX:+DisableExplicitGC");
    }
    return arguments;
  }

  /** Returns the collector and its tuning; empty for the JVM's default. */
  public List<String> garbageCollector() {
    return stack.settingAsList("gc.arguments");
  }

  /** Returns the arguments without which Fedora does not start on this Java. */
  public List<String> needed() {
    return stack.settingAsList("jvm.needed");
  }

  /** Returns the user's own arguments. */
  public List<String> others() {
    return stack.settingAsList("jvm.arguments");
  }

  /**
   * Returns the arguments with which any JVM, Fedora's or another, finds the stack's repository and
   * reads and writes it alike.
   */
  public List<String> repository(StackFolders folders) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-XX:ErrorFile=" + folders.logs().resolve("hs_err_pid%p.log"));
    arguments.add("-Dfile.encoding=UTF-8");
    arguments.add("-Djava.awt.headless=true");
    arguments.add("-Djava.io.tmpdir=" + folders.tomcat().resolve("temp"));
    arguments.add("-Dfedora.home=" + folders.fedora());
    String literalLength = stack.plan().settings().get("triplestore.literalLength");
    if (literalLength != null) {
      // Read by MPTStore's generator of MySQL tables.
      arguments.add("-Dmptstore.mysql.length=" + literalLength);
    }
    arguments.add("-Dderby.stream.error.file=" + folders.derbyLog());
    return arguments;
  }

  /** Returns the arguments that log each collection and each stop of all threads. */
  public List<String> gcLog(Path file) throws InterruptedException {
    if (!stack.setting("jvm.gcLog").equals("true")) {
      return List.of();
    }
    // Java 8 changes the file's name when it rotates by size, so it does not rotate there.
    return javaFeature() < UNIFIED_LOGGING
        ? List.of(
            "-Xloggc:" + file,
            "-XX:+PrintGCDetails",
            "-XX:+PrintGCDateStamps",
            "-XX:+PrintGCApplicationStoppedTime")
        : List.of(
            // %s instead of %d, which writes the digits of the user's locale.
            "-Xlog:gc*,safepoint:file=%s:time,uptime,level,tags:filecount=%s,filesize=%s"
                .formatted(file, StackFolders.MAX_PARTS, GC_LOG_PART));
  }

  /** Returns whether a starting JVM overwrites the previous log, as Java 8 does. */
  public boolean overwritesGcLog() throws InterruptedException {
    return javaFeature() < UNIFIED_LOGGING;
  }

  private int javaFeature() throws InterruptedException {
    Optional<InstalledJava> java = InstalledJava.in(Path.of(stack.plan().javaHome()));
    // After an interrupt, a Java that was just running may seem missing.
    if (java.isEmpty() && Thread.interrupted()) {
      throw new InterruptedException();
    }
    return java.map(InstalledJava::feature).orElse(UNIFIED_LOGGING);
  }
}
