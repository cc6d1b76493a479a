package org.fedometer.profiles.stack.java;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;

/** The arguments of Fedora's JVM that follow from a profile. Immutable. */
public record JvmArguments(StackDocument stack) {

  /** Below what a run folder takes of one log, so that no part of it is cut. */
  private static final String GC_LOG_PART = "30m";

  /** Unified logging came with it. */
  private static final int UNIFIED_LOGGING = 9;

  /** Of the heap's least and largest size, and whether Fedora may ask for a collection. */
  public List<String> heap() {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Xms" + stack.setting("heap.minimum"));
    arguments.add("-Xmx" + stack.setting("heap.maximum"));
    if (stack.setting("heap.disableExplicitGC").equals("true")) {
      arguments.add("-XX:+DisableExplicitGC");
    }
    return arguments;
  }

  /** Which one, and how it is tuned; empty for the one that the JVM chooses. */
  public List<String> garbageCollector() {
    return stack.settingAsList("gc.arguments");
  }

  /** Without them Fedora does not start on this Java. */
  public List<String> needed() {
    return stack.settingAsList("jvm.needed");
  }

  /** The user's own. */
  public List<String> others() {
    return stack.settingAsList("jvm.arguments");
  }

  /**
   * What has any JVM that works on the stack's repository, Fedora's or another, find it, and read
   * and write it alike.
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

  /** What has the JVM write down each collection and each stop of all threads. */
  public List<String> gcLog(Path file) throws InterruptedException {
    if (!stack.setting("jvm.gcLog").equals("true")) {
      return List.of();
    }
    // Java 8 adds to the file's name when it begins anew at some size: there it does not.
    return javaFeature() < UNIFIED_LOGGING
        ? List.of(
            "-Xloggc:" + file,
            "-XX:+PrintGCDetails",
            "-XX:+PrintGCDateStamps",
            "-XX:+PrintGCApplicationStoppedTime")
        : List.of(
            // %s and not %d, which writes the digits of the country that the user is in.
            "-Xlog:gc*,safepoint:file=%s:time,uptime,level,tags:filecount=%s,filesize=%s"
                .formatted(file, StackFolders.MAX_PARTS, GC_LOG_PART));
  }

  /** Whether a JVM that starts writes over the log of the one before: Java 8 does. */
  public boolean overwritesGcLog() throws InterruptedException {
    return javaFeature() < UNIFIED_LOGGING;
  }

  private int javaFeature() throws InterruptedException {
    Optional<InstalledJava> java = InstalledJava.in(Path.of(stack.plan().javaHome()));
    // One that was just asked what it is seems not to be there after an interrupt.
    if (java.isEmpty() && Thread.interrupted()) {
      throw new InterruptedException();
    }
    return java.map(InstalledJava::feature).orElse(UNIFIED_LOGGING);
  }
}
