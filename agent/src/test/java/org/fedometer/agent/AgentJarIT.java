package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.fedometer.agent.core.weave.OutputSilencerTest;
import org.fedometer.aspects.recorder.Recorder;
import org.junit.jupiter.api.Test;

/** Tests which of the agent's classes are visible to Fedora's class loaders. */
class AgentJarIT {

  @Test
  void showsOnlyItsBootstrapTheAspectsAndOneClassOfAspectj() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      List<String> classes =
          jar.stream().map(JarEntry::getName).filter(name -> name.endsWith(".class")).toList();
      assertThat(classes)
          .contains("org/fedometer/agent/Bootstrap.class", "org/fedometer/aspects/TimedStage.class")
          .allMatch(
              name ->
                  name.startsWith("org/fedometer/aspects/")
                      || name.equals("org/fedometer/agent/Bootstrap.class")
                      || name.equals("org/fedometer/agent/IsolatedClassLoader.class")
                      || name.equals("org/aspectj/lang/NoAspectBoundException.class"));
      assertThat(jar.getManifest().getMainAttributes().getValue("Can-Retransform-Classes"))
          .isEqualTo("true");
      assertThat(jar.stream().map(JarEntry::getName))
          .noneMatch(name -> name.startsWith("META-INF/services/"));
    }
  }

  @Test
  void agentCoreHasItsLoaderAndSharesOnlyTheAspects() throws Exception {
    try (URLClassLoader outside =
        new URLClassLoader(
            new URL[] {AgentJvm.JAR.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      IsolatedClassLoader inside = new IsolatedClassLoader(AgentJvm.JAR.toFile(), outside);
      for (String name :
          List.of(
              "org.aspectj.weaver.World",
              "org.fedometer.wire.client.CollectorClient",
              "org.aspectj.lang.JoinPoint")) {
        assertThat(inside.loadClass(name).getClassLoader()).isSameAs(inside);
        assertThat(isVisible(outside, name)).isFalse();
      }
      String recorder = Recorder.class.getName();
      assertThat(inside.loadClass(recorder)).isSameAs(outside.loadClass(recorder));
      // The test's own class path, where a webapp's libraries would be, is not seen from inside.
      assertThat(isVisible(inside, getClass().getName())).isFalse();
    }
  }

  @Test
  void noClassOfAspectjPrintsAnythingAndEachStillVerifies() throws Exception {
    int loud = 0;
    try (IsolatedClassLoader inside =
            new IsolatedClassLoader(AgentJvm.JAR.toFile(), getClass().getClassLoader());
        JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      UnaryOperator<byte[]> quiet = silencedBytecodeOf(inside);
      for (JarEntry entry : jar.stream().filter(AgentJarIT::isAspectjs).toList()) {
        byte[] bytecode = jar.getInputStream(entry).readAllBytes();
        if (!OutputSilencerTest.printsOf(bytecode).isEmpty()) {
          loud++;
          assertThat(OutputSilencerTest.printsOf(quiet.apply(bytecode)))
              .as(entry.getName())
              .isEmpty();
          Class<?> loaded = inside.loadClass(classNameOf(entry));
          assertThat(loaded.getClassLoader()).isSameAs(inside);
          // Links, and so verifies it.
          assertThatCode(loaded::getFields).as(entry.getName()).doesNotThrowAnyException();
        }
      }
      assertThat(loud).isGreaterThan(20);
    }
  }

  /** The jar stands on the class path of this test, so only its own loader finds the class. */
  @SuppressWarnings("unchecked")
  private static UnaryOperator<byte[]> silencedBytecodeOf(IsolatedClassLoader inside)
      throws ReflectiveOperationException {
    return (UnaryOperator<byte[]>)
        inside
            .loadClass("org.fedometer.agent.core.weave.OutputSilencer")
            .getConstructor()
            .newInstance();
  }

  private static boolean isAspectjs(JarEntry entry) {
    return entry.getName().startsWith("inside/org/aspectj/")
        && entry.getName().endsWith(".classdata");
  }

  private static String classNameOf(JarEntry entry) {
    String name = entry.getName();
    return name.substring("inside/".length(), name.lastIndexOf('.')).replace('/', '.');
  }

  @Test
  void carriesTheLicencesAndNoticesOfWhatIsInIt() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.JAR.toFile())) {
      assertThat(textOf(jar, "META-INF/LICENSE")).contains("Apache License");
      assertThat(textOf(jar, "META-INF/licenses/LICENSE-EPL-2.0.txt"))
          .contains("Eclipse Public License");
      assertThat(textOf(jar, "META-INF/NOTICE"))
          .contains("AspectJ Weaver 1.", "Apache Log4j Core 2.", "Tim Fennell")
          .doesNotContain("@");
    }
  }

  private static String textOf(JarFile jar, String name) throws IOException {
    return new String(
        jar.getInputStream(jar.getJarEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
  }

  private static boolean isVisible(ClassLoader loader, String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException hidden) {
      return false;
    }
  }
}
