package org.fedometer.profiles.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.profiles.Profile;
import org.fedometer.profiles.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to homes that are not as they should be; without starting a Fedora. */
class HomeTest {

  @TempDir Path folder;

  private final StackRegistry registry = StackRegistry.ofUser();

  @Test
  void aFolderWithSomebodysFilesIsNotTouched() throws Exception {
    Path file = Files.writeString(folder.resolve("thesis.txt"), "years of work");
    Profile profile = Profiles.load("mulgara-derby");

    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(profile, StackOptions.at(folder), ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessage(
            folder + " is not empty and holds no stack; choose another folder or an empty one.");
    assertThat(folder).isDirectoryContaining(file::equals);
    assertThat(registry.down(folder)).isEmpty();
    assertThat(file).exists();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null", "{\"services\": []}", "no JSON"})
  void aFolderWithAnotherProgramsStackJsonIsNotTouched(String content) throws Exception {
    Path file = Files.writeString(folder.resolve("stack.json"), content);
    Profile profile = Profiles.load("mulgara-derby");

    assertThatThrownBy(
            () ->
                Provisioner.ofUser()
                    .provision(profile, StackOptions.at(folder), ProvisioningListener.SILENT))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining(file + " is not of this version of Fedometer, or damaged");
    assertThatThrownBy(() -> registry.down(folder)).isInstanceOf(IOException.class);
    assertThat(file).hasContent(content);
  }

  @Test
  void whatUpWasGivenHoldsFromTheNextStartOn() throws Exception {
    StackFolders folders = new StackFolders(folder);
    StackDocument.of(
            "1",
            Profiles.load("mulgara-derby"),
            StackOptions.at(folder).withAgent(Path.of("/a.jar"), "x=1").withJvmArgument("-Xss1m"))
        .write(folders.document());
    Stack stack = registry.find(folder).orElseThrow();

    stack.useNoAgent();
    stack.useHttpPort(8081);

    StackDocument.Plan plan = StackDocument.read(folders.document()).orElseThrow().plan();
    assertThat(plan.jvmArguments()).containsExactly("-Xss1m");
    assertThat(plan.httpPort()).isEqualTo(8081);
  }

  @Test
  void downOfAFolderThatIsNotThereDoesNothing() throws Exception {
    assertThat(registry.down(folder.resolve("none"))).isEmpty();
  }

  /** As if the tool was killed between the start of a process and its entry in stack.json. */
  @Test
  void downFindsAProcessThatIsNotWrittenDown() throws Exception {
    StackFolders folders = new StackFolders(folder);
    StackDocument.of("1", Profiles.load("mulgara-derby"), StackOptions.at(folder))
        .write(folders.document());
    Process stray =
        new ProcessBuilder("sh", "-c", "sleep 60", FedoraServer.marker(folders)).start();
    LinuxProcess process = LinuxProcess.of("x", stray.pid()).orElseThrow();

    List<String> ended = registry.down(folder);

    assertThat(ended).containsExactly("Fedora (pid " + stray.pid() + ")");
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void aHalfProvisionedStackDoesNotStart() throws Exception {
    StackDocument.of("1", Profiles.load("mulgara-derby"), StackOptions.at(folder))
        .write(new StackFolders(folder).document());
    Stack stack = registry.find(folder).orElseThrow();

    assertThatThrownBy(() -> stack.start(ProvisioningListener.SILENT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was not provisioned to its end");
  }

  @Test
  void theDocumentIsReadAsItWasWritten() throws Exception {
    StackDocument document =
        StackDocument.of("1", Profiles.load("mptstore-postgresql"), StackOptions.at(folder))
            .withProvisioned(new StackDocument.Postgresql("/b", List.of("unshare", "--user")))
            .withPorts(8080, 5432)
            .withProcess(LinuxProcess.of("x", ProcessHandle.current().pid()).orElseThrow());
    Path file = folder.resolve("stack.json");

    document.write(file);

    assertThat(StackDocument.read(file)).contains(document);
  }
}
