package org.fedometer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AkubraStoreTest {

  @TempDir private Path folder;

  /** Examples of the documentation of Fedora's HashPathIdMapper, and names seen in a real store. */
  @ParameterizedTest
  @CsvSource({
    "#/#,urn:example1,0/8/urn%3Aexample1",
    "##/##,http://tinyurl.com/cxzzf,62/ca/http%3A%2F%2Ftinyurl.com%2Fcxzzf",
    "'',info:fedora/a:1,info%3Afedora%2Fa%3A1",
    "##,info:fedora/a:54/TEXT_2/TEXT_2.0,b1/info%3Afedora%2Fa%3A54%2FTEXT%5F2%2FTEXT%5F2.0",
    "'',info:fedora/a:b.,info%3Afedora%2Fa%3Ab%2E",
    "'',info:fedora/a:b%3A~,info%3Afedora%2Fa%3Ab%253A%7E"
  })
  void aFileLiesWhereFedoraPutsIt(String pattern, String uri, String path) {
    assertThat(AkubraStore.path(folder, pattern, uri)).isEqualTo(folder.resolve(path));
  }

  @Test
  void distinguishesObjectsContentAndForeignFiles() throws Exception {
    Path objects = folder.resolve("objectStore");
    Path contents = folder.resolve("datastreamStore");
    AkubraStore store = new AkubraStore(objects, "##", contents, "#/#");
    ContentKey key = new ContentKey("a:1", "ID WITH/ODD+signs", "new");
    put(AkubraStore.path(objects, "##", "info:fedora/a:1"));
    put(AkubraStore.path(objects, "##", "info:fedora/a:2/old"));
    put(objects.resolve("00/info%3Afedora%2Fa%3A3"));
    put(objects.resolve("readme.txt"));
    put(store.content(key));
    put(AkubraStore.path(contents, "#/#", "info:fedora/a:1/DS/DS.0/new"));

    RecordingVisitor told = new RecordingVisitor();
    store.eachObject(told);
    store.eachContent(told);

    assertThat(told.lines)
        .containsExactlyInAnyOrder(
            "object a:1",
            "foreign info%3Afedora%2Fa%3A3",
            "foreign readme.txt",
            "content a:1+ID WITH/ODD+signs+new");
    assertThat(store.replacements())
        .extracting(Replacement::pid, Replacement::isNewer, Replacement::isOfObject)
        .containsExactly(tuple("a:1", true, false), tuple("a:2", false, true));
    assertThat(store.replacements().get(0).replaced())
        .isEqualTo(store.content(new ContentKey("a:1", "DS", "DS.0")));
  }

  @Test
  void foldersBehindLinksAreThere() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("other-disk"));
    Path objects = Files.createSymbolicLink(folder.resolve("objectStore"), elsewhere);
    Path contents = Files.createDirectory(folder.resolve("datastreamStore"));
    AkubraStore store = new AkubraStore(objects, "##", contents, "##");
    ContentKey key = new ContentKey("a:1", "DS", "DS.0");
    put(AkubraStore.path(objects, "##", "info:fedora/a:1"));
    Path part = store.content(key).getParent();
    Files.createSymbolicLink(part, Files.createDirectory(folder.resolve("third-disk")));
    Files.createFile(store.content(key));

    RecordingVisitor told = new RecordingVisitor();
    store.eachObject(told);
    store.eachContent(told);

    assertThat(told.lines).containsExactly("object a:1", "content a:1+DS+DS.0");
  }

  @Test
  void aStoreThatWasNeverWrittenToIsEmpty() throws Exception {
    AkubraStore store = new AkubraStore(folder.resolve("a"), "##", folder.resolve("b"), "##");
    RecordingVisitor told = new RecordingVisitor();
    store.eachObject(told);
    store.eachContent(told);
    assertThat(told.lines).isEmpty();
    assertThat(store.replacements()).isEmpty();
  }

  private static void put(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  private static final class RecordingVisitor implements FileStore.Visitor {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void object(String pid, Path file) {
      lines.add("object " + pid);
    }

    @Override
    public void content(ContentKey key, Path file) {
      lines.add("content " + key);
    }

    @Override
    public void foreign(Path file) {
      lines.add("foreign " + file.getFileName());
    }
  }
}
