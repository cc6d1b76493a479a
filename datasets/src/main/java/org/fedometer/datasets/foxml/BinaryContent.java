package org.fedometer.datasets.foxml;

import com.ctc.wstx.exc.WstxLazyException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.UnusableDocument;

/**
 * Managed content from a FOXML file, decoded while it is read. If its first byte's position is
 * unknown, opening reads the file up to it.
 *
 * @param binary the number of the file's binaryContent element, from 0
 * @param text the position of its base64, or null if unknown
 */
record BinaryContent(
    String id,
    String label,
    String mediaType,
    long sizeBytes,
    Path file,
    int binary,
    FoxmlDocument.Base64Place text)
    implements ContentStream {

  /** digitalObject, datastream, datastreamVersion, binaryContent; FOXML inside XML is deeper. */
  private static final int DEPTH = 4;

  /** Number of base64 bytes read at once. */
  private static final int MAX_BYTES = 1 << 13;

  @Override
  public InputStream open() throws IOException {
    return text == null ? parsed() : open(Files.newByteChannel(file));
  }

  /**
   * Opens the content from its first byte; the channel is closed with the stream, or if this fails.
   */
  InputStream open(SeekableByteChannel channel) throws IOException {
    try {
      channel.position(text.from() - 1);
      InputStream in = Channels.newInputStream(channel);
      if (in.read() != '>') {
        throw changed(null);
      }
      return new Decoding(in, new TextInPlace(in));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private InputStream parsed() throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      XMLStreamReader2 parser = FoxmlXml.parser(in);
      goTo(parser);
      return new Decoding(in, new ParsedText(parser));
    } catch (XMLStreamException | WstxLazyException e) {
      in.close();
      throw changed(e);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private void goTo(XMLStreamReader2 parser) throws XMLStreamException, IOException {
    int found = 0;
    while (parser.hasNext()) {
      if (parser.next() == XMLStreamConstants.START_ELEMENT
          && parser.getDepth() == DEPTH
          && parser.getLocalName().equals("binaryContent")
          && found++ == binary) {
        return;
      }
    }
    throw changed(null);
  }

  private IOException changed(Exception e) {
    return new IOException(
        UnusableDocument.escaped(
            "%s has changed since the dataset was opened, in %s".formatted(file, id)),
        e);
  }

  private interface Text {

    /** Moves to the next piece; returns false if there is none. */
    boolean next() throws IOException, XMLStreamException;

    char[] characters();

    int start();

    int length();
  }

  private record ParsedText(XMLStreamReader2 parser) implements Text {

    @Override
    public boolean next() throws XMLStreamException {
      while (true) {
        switch (parser.next()) {
          case XMLStreamConstants.END_ELEMENT -> {
            return false;
          }
          case XMLStreamConstants.CHARACTERS,
              XMLStreamConstants.CDATA,
              XMLStreamConstants.SPACE -> {
            return true;
          }
          default -> {
            // Comments and processing instructions have no meaning here.
          }
        }
      }
    }

    @Override
    public char[] characters() {
      return parser.getTextCharacters();
    }

    @Override
    public int start() {
      return parser.getTextStart();
    }

    @Override
    public int length() {
      return parser.getTextLength();
    }
  }

  /** The bytes from the start tag to the end tag, which must still be there. */
  private final class TextInPlace implements Text {

    private final InputStream in;
    private final byte[] bytes = new byte[(int) Math.min(MAX_BYTES, text.to() - text.from())];
    private final char[] characters = new char[bytes.length];
    private long left = text.to() - text.from();
    private int length;

    TextInPlace(InputStream in) {
      this.in = in;
    }

    @Override
    public boolean next() throws IOException {
      if (left == 0) {
        if (in.read() != '<' || in.read() != '/') {
          throw changed(null);
        }
        return false;
      }
      length = in.read(bytes, 0, (int) Math.min(bytes.length, left));
      if (length < 0) {
        throw changed(null);
      }
      left -= length;
      for (int i = 0; i < length; i++) {
        characters[i] = (char) (bytes[i] & 0xFF);
      }
      return true;
    }

    @Override
    public char[] characters() {
      return characters;
    }

    @Override
    public int start() {
      return 0;
    }

    @Override
    public int length() {
      return length;
    }
  }

  private final class Decoding extends InputStream {

    private final InputStream in;
    private final Text pieces;
    private final Base64Text base64 = new Base64Text();
    private byte[] decoded = new byte[0];
    private int at;
    private int end;
    private boolean ended;

    Decoding(InputStream in, Text pieces) {
      this.in = in;
      this.pieces = pieces;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] out, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      while (at == end && !ended) {
        decodeMore();
      }
      if (at == end) {
        return -1;
      }
      int count = Math.min(length, end - at);
      System.arraycopy(decoded, at, out, from, count);
      at += count;
      return count;
    }

    private void decodeMore() throws IOException {
      try {
        if (!pieces.next()) {
          ended = true;
          base64.end();
        } else {
          int maxBytes = Base64Text.maxBytes(pieces.length());
          if (decoded.length < maxBytes) {
            decoded = new byte[maxBytes];
          }
          at = 0;
          end = base64.decode(pieces.characters(), pieces.start(), pieces.length(), decoded);
        }
      } catch (XMLStreamException | WstxLazyException | UnusableFoxmlException e) {
        throw changed(e);
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
