package org.fedometer.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the table of modules in docs/developers/architecture.md with the compiled classes. */
class ModuleBoundariesTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** Class file major version of Java 8 and of Java 17. */
  private static final int JAVA_8 = 52;

  private static final int JAVA_17 = 61;

  private static final Path CLI = ROOT.resolve("cli/target/classes");

  /** Classes of all modules but cli: read once, since it is slow. */
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .importPaths(Arrays.stream(ProjectModule.values()).map(ProjectModule::classes).toList());

  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
          return "each package";
        }
      };

  private static final Set<String> RENAMING_METHODS =
      Set.of("move", "createDirectory", "createDirectories");

  /** Classes whose files need not outlive a loss of power, or are put on disk by another. */
  private static final Set<String> NOT_DURABLE =
      Set.of(
          // Folders of temporary files, and of spools, which outlive their process alone.
          "Command",
          "FedoraInstaller",
          "PrivateFiles",
          "FrameSpool",
          // Logs, the oldest of which goes anyway.
          "RotatingFile",
          "StackStart",
          // UnpackedPrograms.of puts the whole tree on disk before it gives it its name.
          "PostgresBinaries",
          "UnpackedPrograms",
          // Of InstalledFedoras, into a home that is recreated if incomplete.
          "Copy",
          // The segments hold the same until Sealing has put it on disk.
          "RunDocuments",
          "LiveRollupWriter",
          // RunArchive.write puts the name on disk that giveName gives.
          "RunArchive",
          // A module without wire; its Disk does the same, and its test counts.
          "BagWriter");

  /**
   * One row of the table: folder, package, bytecode, and the packages it may use besides java.*.
   */
  enum ProjectModule {
    WIRE("wire", "wire", JAVA_8, "javax.net.ssl..", "javax.security.auth.x500.."),
    ASPECTS(
        "aspects",
        "aspects",
        JAVA_8,
        "org.aspectj.lang..",
        "org.aspectj.internal.lang.annotation.."),
    AGENT(
        "agent",
        "agent",
        JAVA_8,
        "org.fedometer.wire..",
        "org.fedometer.aspects..",
        "org.aspectj..",
        // A part of the weaver.
        "aj.org.objectweb.asm..",
        // For transport=log4j2.
        "org.apache.logging.log4j..",
        // The JDK's own, for JVM data.
        "javax.management..",
        "com.sun.management.."),
    STORE(
        "store",
        "store",
        JAVA_17,
        "org.fedometer.wire..",
        "org.duckdb..",
        "com.github.luben.zstd..",
        "org.HdrHistogram..",
        "com.fasterxml.jackson..",
        // The JDK's own, for the machine's or container's memory.
        "com.sun.management.."),
    WEB("web", "web", JAVA_17),
    COLLECTOR(
        "collector",
        "collector",
        JAVA_17,
        "org.fedometer.wire..",
        "org.fedometer.store..",
        "org.fedometer.web..",
        "io.netty..",
        "jdk.net..",
        "javax.net.ssl..",
        "javax.security.auth.x500..",
        "javax.xml.stream..",
        "org.slf4j..",
        "org.HdrHistogram..",
        "org.influxdb..",
        "com.influxdb..",
        "okhttp3..",
        "io.prometheus..",
        "com.fasterxml.jackson.."),
    DATASETS(
        "datasets",
        "datasets",
        JAVA_17,
        "com.ctc.wstx..",
        "org.apache.pdfbox..",
        "org.codehaus.stax2..",
        "javax.xml..",
        "org.w3c.dom.."),
    INGEST_DRIVER(
        "ingest-driver",
        "driver",
        JAVA_17,
        "org.fedometer.datasets..",
        "org.fedometer.wire..",
        "org.apache.hc..",
        "com.sun.net.httpserver..",
        "org.HdrHistogram..",
        "javax.net.ssl..",
        "javax.xml..",
        "org.w3c.dom..",
        "org.xml.sax.."),
    REPAIR("repair", "repair", JAVA_8, "org.fedometer.wire..", "javax.xml.stream.."),
    TUNING_PROFILES(
        "tuning-profiles",
        "profiles",
        JAVA_17,
        "org.fedometer.wire..",
        "org.fedometer.repair..",
        "eu.maveniverse..",
        "org.eclipse.aether..",
        "org.apache.maven..",
        "org.codehaus.plexus.util.xml..",
        "javax.net.ssl..",
        "com.fasterxml.jackson..",
        "org.yaml.snakeyaml..",
        "org.apache.commons.compress..",
        "org.tukaani.xz..",
        // The JDK's own, by which a stack's Tomcat is managed from outside.
        "com.sun.tools.attach..",
        "javax.management..",
        "javax.xml..",
        "org.w3c.dom..",
        "org.xml.sax.."),
    ANALYSIS(
        "analysis",
        "analysis",
        JAVA_17,
        "org.fedometer.wire..",
        "org.fedometer.store..",
        "org.fedometer.web..",
        "gg.jte..",
        "com.fasterxml.jackson..",
        "org.apache.commons.statistics..",
        "org.HdrHistogram.."),
    ATTACH("attach", "attach", JAVA_17, "org.fedometer.wire..", "org.HdrHistogram.."),
    EXPERIMENTS(
        "experiments",
        "experiments",
        JAVA_17,
        "org.fedometer.wire..",
        "org.fedometer.store..",
        "org.fedometer.collector..",
        "org.fedometer.datasets..",
        "org.fedometer.driver..",
        "org.fedometer.profiles..",
        "org.fedometer.repair..",
        "org.fedometer.analysis..",
        "org.fedometer.attach..",
        "com.microsoft.gctoolkit..",
        "com.fasterxml.jackson..");

    final String folder;
    final String modulePackage;
    final int majorVersion;
    final String[] allowedPackages;

    ProjectModule(String folder, String packageName, int majorVersion, String... libraries) {
      this.folder = folder;
      this.modulePackage = "org.fedometer." + packageName + "..";
      this.majorVersion = majorVersion;
      List<String> allowed = new ArrayList<>(List.of("java..", modulePackage));
      allowed.addAll(Arrays.asList(libraries));
      this.allowedPackages = allowed.toArray(String[]::new);
    }

    Path classes() {
      return ROOT.resolve(folder).resolve("target/classes");
    }
  }

  @ParameterizedTest
  @EnumSource
  void usesOnlyAllowedPackages(ProjectModule module) {
    JavaClasses compiled = in(module.classes());
    assertThat(compiled).as("classes of %s", module.folder).isNotEmpty();

    classes()
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(module.allowedPackages).or(primitives()))
        .andShould()
        .resideInAPackage(module.modulePackage)
        .check(compiled);
  }

  @ParameterizedTest
  @EnumSource
  void isDocumentedWithItsJava(ProjectModule module) throws IOException {
    assertThat(Files.readString(ROOT.resolve("docs/developers/architecture.md")))
        .contains(
            "\n| `" + module.folder + "/` | " + (module.majorVersion == JAVA_8 ? 8 : 17) + " |");
  }

  @ParameterizedTest
  @EnumSource
  void isCompiledForItsJava(ProjectModule module) throws IOException {
    try (Stream<Path> files = Files.walk(module.classes())) {
      List<Path> classFiles = files.filter(file -> file.toString().endsWith(".class")).toList();
      assertThat(classFiles).isNotEmpty();
      assertThat(classFiles)
          .allSatisfy(file -> assertThat(majorVersion(file)).isEqualTo(module.majorVersion));
    }
  }

  /** Code on Fedora's own threads: no input or output, no locks, no logging. */
  @Test
  void aspectsUseNoIoOrLocks() {
    JavaClasses compiled = in(ProjectModule.ASPECTS.classes());
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.io..",
            "java.net..",
            "java.nio..",
            "java.sql..",
            "java.util.concurrent.locks..",
            "java.util.logging..")
        .check(compiled);
  }

  /**
   * A method that renames something or makes a folder calls {@code Durable} too, so that a loss of
   * power does not undo it, or belongs to one of {@link #NOT_DURABLE}.
   */
  @Test
  void renamesAndNewFoldersAreDurable() {
    Set<String> notDurable = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    for (JavaClass type : ALL) {
      for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
        JavaCodeUnit caller = call.getOrigin();
        if (!call.getTargetOwner().getFullName().equals("java.nio.file.Files")
            || !RENAMING_METHODS.contains(call.getName())
            || caller.getMethodCallsFromSelf().stream().anyMatch(ModuleBoundariesTest::isDurable)) {
          continue;
        }
        seen.add(type.getSimpleName());
        if (!NOT_DURABLE.contains(type.getSimpleName())) {
          notDurable.add(type.getSimpleName() + "." + caller.getName());
        }
      }
    }

    assertThat(notDurable).as("methods that use Files and not Durable").isEmpty();
    assertThat(NOT_DURABLE).as("exceptions that are still needed").isSubsetOf(seen);
  }

  private static boolean isDurable(JavaMethodCall call) {
    return call.getTargetOwner().getFullName().equals("org.fedometer.wire.disk.Durable");
  }

  /** It begins with the name of its class; {@code FailureText} formats it instead. */
  @Test
  void collectorDoesNotLogToStringOfExceptions() {
    DescribedPredicate<JavaMethodCall> printed =
        DescribedPredicate.describe(
            "the toString() of a failure",
            call ->
                call.getName().equals("toString")
                    && call.getTargetOwner().isAssignableTo(Throwable.class));
    noClasses()
        .that()
        .doNotHaveSimpleName("InfluxWriter") // compares it with a wrapper's message
        .should()
        .callMethodWhere(printed)
        .check(in(ProjectModule.COLLECTOR.classes()));
  }

  private static JavaClasses in(Path classes) {
    String folder = classes.toUri().toString();
    return ALL.that(
        DescribedPredicate.describe(
            "in " + classes,
            type -> type.getSource().orElseThrow().getUri().toString().startsWith(folder)));
  }

  @Test
  void modulesHaveNoCycles() {
    SlicesRuleDefinition.slices()
        .matching("org.fedometer.(*)..")
        .should()
        .beFreeOfCycles()
        .check(ALL);
  }

  @ParameterizedTest
  @MethodSource
  void packagesOfAModuleHaveNoCycles(Path classes) {
    SlicesRuleDefinition.slices()
        .assignedFrom(PACKAGES)
        .should()
        .beFreeOfCycles()
        .check(classes.equals(CLI) ? new ClassFileImporter().importPath(CLI) : in(classes));
  }

  /** The command line uses all modules, and has no row above. */
  static Stream<Path> packagesOfAModuleHaveNoCycles() {
    return Stream.concat(
        Arrays.stream(ProjectModule.values()).map(ProjectModule::classes), Stream.of(CLI));
  }

  private static DescribedPredicate<JavaClass> primitives() {
    return DescribedPredicate.describe(
        "primitives and arrays", type -> type.getBaseComponentType().isPrimitive());
  }

  private static int majorVersion(Path classFile) {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(classFile))) {
      in.readInt();
      in.readUnsignedShort();
      return in.readUnsignedShort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
