package org.fedometer.datasets.foxml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.DatasetOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content is read where it stands, and not by going through all that is before it. */
class ManyContentsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"kept", "new"})
  void readsTheContentsOfManyDatastreamsInOnePass(String pids) throws Exception {
    String[] datastreams = new String[3_000];
    for (int i = 0; i < datastreams.length; i++) {
      // In two, three and four bytes, in lines that end in two, and longer than any buffer at
      // times.
      String label = "LABEL=\"\u00e4\u20ac\uD83D\uDE00&amp;\"\r\n";
      datastreams[i] =
          FoxmlText.datastream(
              "D" + i, "M", FoxmlText.version("D" + i + ".0", label, FoxmlText.binary(text(i))));
    }
    Path file = folder.resolve("many.xml");
    Files.writeString(file, "\uFEFF" + FoxmlText.object("a:1", datastreams));

    long read = 0;
    int number = 0;
    for (ContentStream content : open(",pids=" + pids)) {
      try (Counting channel = new Counting(Files.newByteChannel(file));
          InputStream in = ((BinaryContent) content).open(channel)) {
        assertThat(in.readAllBytes()).asString().isEqualTo(text(number++));
        read += channel.bytesRead;
      }
    }

    assertThat(number).isEqualTo(datastreams.length);
    assertThat(read).isLessThan(Files.size(file));
  }

  private static String text(int number) {
    return ("content " + number).repeat(number % 1_000 == 999 ? 20_000 : 1);
  }

  @Test
  void base64IsReadInWhateverFormItStands() throws Exception {
    String plain =
        Base64.getEncoder().encodeToString("some words".getBytes(StandardCharsets.UTF_8));
    String begin = plain.substring(0, 5);
    String rest = plain.substring(5);
    String foxml =
        FoxmlText.object(
            "a:1",
            managed("A", plain),
            managed("B", begin + "<!-- & -->" + rest),
            managed("C", begin + "<![CDATA[" + rest + "]]>"),
            managed("D", "<![CDATA[" + plain + "]]>"),
            managed("E", "&#" + (int) plain.charAt(0) + ";" + plain.substring(1)),
            managed("F", "\r\n" + begin + " \r\n\t" + rest + "\r\n"),
            managed("G", begin + "<?a?>" + rest),
            managed("H", plain));
    for (String encoding : List.of("UTF-8", "UTF-16", "ISO-8859-1", "US-ASCII")) {
      Files.write(
          folder.resolve("forms.xml"),
          foxml.replace("UTF-8", encoding).getBytes(Charset.forName(encoding)));

      List<ContentStream> contents = open("");

      assertThat(contents).hasSize(8);
      for (ContentStream content : contents) {
        try (InputStream in = content.open()) {
          assertThat(in.readAllBytes())
              .as(encoding + content.id())
              .asString()
              .isEqualTo("some words");
        }
      }
    }
  }

  @Test
  void contentThatIsNoMoreWhereItWasIsNotReadAsOther() throws Exception {
    Path file = folder.resolve("a.xml");
    String foxml = FoxmlText.object("a:1", FoxmlText.managed("A", "aaaaaa"));
    Files.writeString(file, foxml);
    ContentStream content = open("").get(0);
    for (String changed :
        List.of(foxml.replace("VERSION", " VERSION"), foxml.substring(0, foxml.length() / 2), "")) {
      Files.writeString(file, changed);

      assertThatThrownBy(
              () -> {
                try (InputStream in = content.open()) {
                  in.readAllBytes();
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has changed since the dataset was opened, in A");
    }
  }

  private static String managed(String id, String text) {
    return FoxmlText.datastream(
        id,
        "M",
        FoxmlText.version(
            id + ".0", "", "<foxml:binaryContent>" + text + "</foxml:binaryContent>"));
  }

  private List<ContentStream> open(String parameters) {
    return FoxmlDirectory.open(folder + parameters, DatasetOptions.unlimited("again"))
        .object(0)
        .content();
  }

  /** For one thread. */
  private static final class Counting implements SeekableByteChannel {

    private final SeekableByteChannel channel;
    private long bytesRead;

    Counting(SeekableByteChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      int count = channel.read(target);
      bytesRead += Math.max(0, count);
      return count;
    }

    @Override
    public int write(ByteBuffer source) {
      throw new UnsupportedOperationException("only read");
    }

    @Override
    public long position() throws IOException {
      return channel.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
      channel.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
      throw new UnsupportedOperationException("only read");
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
