package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.fedometer.experiments.LoadJob;
import org.fedometer.experiments.series.ExperimentJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** Command lines of the distribution's start script, with a Java that only prints them. */
class StartScriptTest {
  private static final Path SCRIPT =
      Path.of("src/main/distribution/bin/fedometer").toAbsolutePath();

  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";
  private static final Predicate<String> OF_AN_ARCHIVE =
      option -> option.contains("SharedArchiveFile");

  private static final String IGNORED_SIGNALS = "SigIgn:";

  private static final Set<String> LOADING_JOBS =
      Set.of(LoadJob.class.getName(), ExperimentJob.class.getName());

  @TempDir private Path folder;

  @Test
  void loadCommandsUseAllCompilersAndIgnoreHangup() throws Exception {
    List<String> commands = commandsThatLoad();
    assertThat(commands)
        .contains("run", "ingest", "experiment", "study scale", "study datastreams");
    assertThat(outputOf("collect"))
        .contains("collect")
        .noneMatch(option -> option.contains("Tier"));

    for (String command : commands) {
      List<String> output = outputOf(command);
      assertThat(output)
          .as(command)
          .containsSequence(command.split(" "))
          .noneMatch(option -> option.contains("Tier"));
      assertThat(ignoresHangup(output)).as(command + " ignores SIGHUP").isTrue();
    }
  }

  @Test
  void aCommandOfASecondHasTheQuickCompiler() throws Exception {
    assertThat(outputOf("stack list")).contains("list", QUICK_COMPILER);
  }

  @Test
  void aCommandThatReadsARunOnceCompilesWhatItRunsMost() throws Exception {
    assertThat(outputOf("report"))
        .contains("report", "-XX:Tier4InvocationThreshold=50000")
        .doesNotContain(QUICK_COMPILER);
  }

  /** With another JVM it is not used, and the JVM prints that to the command's standard output. */
  @Test
  void anArchiveOfClassesIsUsedByItsJavaInItsPlaceAlone() throws Exception {
    Path home = Files.createDirectories(folder.resolve("the home"));
    Path script = Files.createDirectories(home.resolve("bin")).resolve("fedometer");
    Files.copy(SCRIPT, script);
    Files.createFile(home.resolve("classes.jsa"));
    String release = "IMPLEMENTOR=\"a[b]*\"\nJAVA_VERSION=\"17.0.1\"\n";
    Files.writeString(folder.resolve("release"), release);
    Path of = home.resolve("classes.jsa.of");
    String archive = "-XX:SharedArchiveFile=" + home.resolve("classes.jsa");

    Files.writeString(of, home + "\n" + release);
    assertThat(outputOfScript(script, "stack list")).contains(archive);
    Files.writeString(of, folder.resolve("elsewhere") + "\n" + release);
    assertThat(outputOfScript(script, "stack list")).doesNotContain(archive).contains("list");
    Files.writeString(of, home + "\n" + release.replace("17.0.1", "17.0.2"));
    assertThat(outputOfScript(script, "stack list")).doesNotContain(archive).contains("list");
    Files.delete(of);
    assertThat(outputOfScript(script, "stack list")).doesNotContain(archive).contains("list");
  }

  /** Its objects are addressed in another way, and the archive would be refused. */
  @Test
  void aLargeHeapHasNoArchiveOfClasses() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home"));
    Path script = Files.createDirectories(home.resolve("bin")).resolve("fedometer");
    Files.copy(SCRIPT, script);
    Path archive = Files.createFile(home.resolve("classes.jsa"));
    Files.writeString(folder.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.writeString(home.resolve("classes.jsa.of"), home + "\nJAVA_VERSION=\"17.0.1\"\n");

    assertThat(outputOfScript(script, "stack list", "29g"))
        .contains("-XX:SharedArchiveFile=" + archive);
    assertThat(outputOfScript(script, "stack list", "40g"))
        .contains("list", "-Xmx40g")
        .noneMatch(OF_AN_ARCHIVE);
  }

  @Test
  void aClosedDescriptorIsGivenToNoOtherFile() throws Exception {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Path seen = folder.resolve("seen");
    Files.writeString(
        java,
        "#!/bin/sh\nfor i in 0 1 2; do readlink /proc/$$/fd/$i || echo none; done >"
            + seen
            + ".1; { printf x; } 2>&3 || echo unwritable >>"
            + seen
            + ".1\nmv "
            + seen
            + ".1 "
            + seen
            + "\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    for (String closed : List.of("0<&-", "2>&-", "0<&- 2>&-")) {
      ProcessBuilder builder =
          new ProcessBuilder(
              "bash", "-c", "exec 3>/dev/null; bash \"$0\" version " + closed, SCRIPT.toString());
      builder.environment().put("JAVA_HOME", folder.toString());
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
      process.waitFor();
      List<String> found = Files.readAllLines(seen);
      for (int descriptor : new int[] {0, 2}) {
        if (closed.contains(descriptor + "<") || closed.contains(descriptor + ">")) {
          assertThat(found.get(descriptor)).as(closed).isEqualTo("/dev/null");
        }
      }
      Files.delete(seen);
    }
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash", "-c", "exec 3>/dev/null; bash \"$0\" version >&-", SCRIPT.toString());
    builder.environment().put("JAVA_HOME", folder.toString());
    assertThat(builder.start().waitFor()).isZero();
    assertThat(Files.readAllLines(seen)).contains("unwritable");
  }

  /** Those that conduct a load in their own process, themselves or by a class beside them. */
  private static List<String> commandsThatLoad() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.fedometer.cli");
    return CommandList.all()
        .filter(command -> classes.contain(command) && conductsLoads(classes.get(command)))
        .map(CommandList::callOf)
        .toList();
  }

  private static boolean conductsLoads(JavaClass command) {
    return usesALoadingJob(command)
        || command.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .filter(beside -> beside.getPackageName().equals(command.getPackageName()))
            .filter(beside -> !beside.isAnnotatedWith(Command.class))
            .anyMatch(StartScriptTest::usesALoadingJob);
  }

  private static boolean usesALoadingJob(JavaClass some) {
    return some.getDirectDependenciesFromSelf().stream()
        .anyMatch(dependency -> LOADING_JOBS.contains(dependency.getTargetClass().getName()));
  }

  /** Java's arguments, one a line, and which signals it is born to ignore. */
  private List<String> outputOf(String command) throws Exception {
    return outputOfScript(SCRIPT, command);
  }

  private List<String> outputOfScript(Path script, String command) throws Exception {
    return outputOfScript(script, command, "1g");
  }

  private List<String> outputOfScript(Path script, String command, String heap) throws Exception {
    Path java = Files.createDirectories(folder.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        "#!/bin/sh\nprintf '%s\\n' \"$@\"\ngrep '^" + IGNORED_SIGNALS + "' /proc/self/status\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    List<String> words = new ArrayList<>(List.of("bash", script.toString()));
    words.addAll(List.of(command.split(" ")));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("JAVA_HOME", folder.toString());
    builder.environment().put("FEDOMETER_HEAP", heap);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static boolean ignoresHangup(List<String> output) {
    String signals =
        output.stream().filter(line -> line.startsWith(IGNORED_SIGNALS)).findFirst().orElseThrow();
    // The lowest bit is that of signal 1.
    return (Long.parseUnsignedLong(signals.substring(IGNORED_SIGNALS.length()).strip(), 16) & 1)
        == 1;
  }
}
