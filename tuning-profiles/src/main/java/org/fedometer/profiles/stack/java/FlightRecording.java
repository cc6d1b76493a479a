package org.fedometer.profiles.stack.java;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fedometer.profiles.stack.home.StackDocument;
import org.fedometer.profiles.stack.home.StackFolders;
import org.fedometer.profiles.stack.program.StackFiles;
import org.fedometer.profiles.stack.program.XmlFile;
import org.w3c.dom.Element;

/** A Java Flight Recorder recording, from the start of Fedora's JVM to its end. For one thread. */
public final class FlightRecording {

  /**
   * Events that may hold secrets: the environment, and the arguments of this and other processes.
   */
  private static final Set<String> NOT_RECORDED =
      Set.of(
          "jdk.InitialEnvironmentVariable",
          "jdk.InitialSystemProperty",
          "jdk.JVMInformation",
          "jdk.JavaAgent",
          "jdk.NativeAgent",
          "jdk.SystemProcess");

  private final StackFolders folders;
  private final String settings;
  private final Path javaHome;

  private FlightRecording(StackFolders folders, String settings, Path javaHome) {
    this.folders = folders;
    this.settings = settings;
    this.javaHome = javaHome;
  }

  public static Optional<FlightRecording> of(StackFolders folders, StackDocument stack) {
    String settings = stack.setting("jvm.jfr");
    return settings.equals("none")
        ? Optional.empty()
        : Optional.of(new FlightRecording(folders, settings, Path.of(stack.plan().javaHome())));
  }

  /** Writes the selection of events: those of the JDK's own file, except {@link #NOT_RECORDED}. */
  public void writeSettings() throws IOException {
    Path file = folders.flightRecordingSettings();
    StackFiles.writePrivately(file, Files.readString(shippedSettings()));
    XmlFile events = XmlFile.read(file);
    for (Element event : events.all("event")) {
      if (NOT_RECORDED.contains(event.getAttribute("name"))) {
        for (Element setting : XmlFile.children(event, "setting")) {
          if (setting.getAttribute("name").equals("enabled")) {
            setting.setTextContent("false");
          }
        }
      }
    }
    events.write();
  }

  private Path shippedSettings() throws IOException {
    String name = settings + ".jfc";
    // In JDK 8 the file is in the inner JRE.
    for (String folder : List.of("lib/jfr", "jre/lib/jfr")) {
      Path file = javaHome.resolve(folder).resolve(name);
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    throw new IOException(
        "The Java in "
            + javaHome
            + " has no settings for its Flight Recorder (lib/jfr/"
            + name
            + "); choose --set jvm.jfr=none or another Java.");
  }

  /**
   * Returns the JVM argument for a recording by the file of {@link #writeSettings}. A killed JVM
   * leaves no recording.
   */
  public String argument() {
    return "-XX:StartFlightRecording=name=fedometer,settings=%s,filename=%s,dumponexit=true"
        .formatted(folders.flightRecordingSettings(), folders.flightRecording());
  }

  /** Returns arguments of a trial recording without useful content, to check support by a JVM. */
  static List<String> trialArguments(StackDocument stack) {
    return stack.setting("jvm.jfr").equals("none")
        ? List.of()
        : List.of("-XX:StartFlightRecording=dumponexit=false,settings=" + stack.setting("jvm.jfr"));
  }
}
