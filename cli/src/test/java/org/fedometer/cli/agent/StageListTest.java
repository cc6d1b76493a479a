package org.fedometer.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StageListTest {
  private static final StageList STAGES =
      StageList.of(
          Map.of(
              "Files",
              Map.of(
                  "content.discard",
                  List.of(
                      "call of java.io.File.delete() in org.fcrepo.server.storage.DOManager",
                      "call of java.io.File.delete() in fedora.server.storage.DOManager",
                      "org.fcrepo.server.resourceIndex.Writer.get* but not getAll"))));

  @Test
  void theListHasALineForEachMethodWhateverItsPackageIsInAVersionOfFedora() {
    assertThat(printed(STAGES::print))
        .containsExactly(
            "STAGE            GROUP  METHODS",
            "content.discard  Files  call of File.delete() in DOManager",
            "                        Writer.get* but not getAll");
  }

  @Test
  void oneIsShownWithItsMethodsInFull() {
    assertThat(printed(out -> STAGES.print("content.discard", out)))
        .startsWith("content.discard: Files")
        .contains("call of java.io.File.delete() in fedora.server.storage.DOManager")
        .endsWith("See also docs/stages.md.");
  }

  @Test
  void jsonHasTheSameStages() {
    assertThat(STAGES.asJson()).hasSize(1);
    assertThat(STAGES.asJson().get(0))
        .containsEntry("name", "content.discard")
        .containsEntry("group", "Files");
    assertThat(STAGES.asJson("content.discard"))
        .containsEntry(
            "methods",
            List.of(
                "call of java.io.File.delete() in org.fcrepo.server.storage.DOManager",
                "call of java.io.File.delete() in fedora.server.storage.DOManager",
                "org.fcrepo.server.resourceIndex.Writer.get* but not getAll"))
        .containsEntry("page", "docs/stages.md");
  }

  @Test
  void suggestsASimilarStage() {
    assertThatThrownBy(() -> STAGES.asJson("content.disacrd"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no stage is called 'content.disacrd'; perhaps you mean content.discard");
    assertThatThrownBy(() -> STAGES.asJson("parsing"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no stage is called 'parsing'; 'fedometer stage list' lists them");
  }

  private static List<String> printed(Consumer<PrintStream> printing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    printing.accept(out);
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
