package org.fedometer.datasets.foxml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.fedometer.datasets.ContentStream;

/**
 * Managed content out of a FOXML file, decoded while it is read. Opening goes through the file up
 * to it: what stands where is not kept.
 *
 * @param binary which one of the file's binaryContent elements it is, from 0
 */
record BinaryContent(
    String id, String label, String mediaType, long sizeBytes, Path file, int binary)
    implements ContentStream {

  /** digitalObject, datastream, datastreamVersion, binaryContent; FOXML inside XML is deeper. */
  private static final int DEPTH = 4;

  @Override
  public InputStream open() throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      XMLStreamReader2 parser = FoxmlXml.parser(in);
      goTo(parser);
      return new Decoding(in, parser);
    } catch (XMLStreamException | RuntimeException e) {
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
        "%s has no %s any more as it was when the dataset was opened".formatted(file, id), e);
  }

  /** For one thread. */
  private final class Decoding extends InputStream {

    private final InputStream in;
    private final XMLStreamReader2 parser;
    private final Base64Text base64 = new Base64Text();
    private byte[] decoded = new byte[0];
    private int at;
    private int end;
    private boolean ended;

    Decoding(InputStream in, XMLStreamReader2 parser) {
      this.in = in;
      this.parser = parser;
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
        int event = parser.next();
        if (event == XMLStreamConstants.END_ELEMENT) {
          ended = true;
          base64.end();
        } else if (parser.hasText() && isText(event)) {
          int most = Base64Text.mostBytes(parser.getTextLength());
          if (decoded.length < most) {
            decoded = new byte[most];
          }
          at = 0;
          end =
              base64.decode(
                  parser.getTextCharacters(),
                  parser.getTextStart(),
                  parser.getTextLength(),
                  decoded);
        }
      } catch (XMLStreamException | RuntimeException | UnusableFoxmlException e) {
        throw changed(e);
      }
    }

    private static boolean isText(int event) {
      return event == XMLStreamConstants.CHARACTERS
          || event == XMLStreamConstants.CDATA
          || event == XMLStreamConstants.SPACE;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
