package org.fedometer.datasets.foxml;

import com.ctc.wstx.exc.WstxLazyException;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.fedometer.datasets.SafeXml;
import org.fedometer.datasets.XmlFault;

/**
 * Parsers that read no DTD, fetch nothing, expand no entity, and do not keep a complete document or
 * text in memory. Any thread may call it.
 */
final class FoxmlXml {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final WstxInputFactory FACTORY = SafeXml.factory();

  private FoxmlXml() {}

  /** Returns a parser that detects the encoding. */
  static XMLStreamReader2 parser(InputStream in) throws XMLStreamException {
    return (XMLStreamReader2) FACTORY.createXMLStreamReader(in);
  }

  /** Returns a parser whose offsets count characters after the byte order mark, if there is one. */
  static XMLStreamReader2 utf8Parser(InputStream in) throws XMLStreamException, IOException {
    PushbackInputStream unmarked = new PushbackInputStream(in, BYTE_ORDER_MARK.length);
    skipByteOrderMark(unmarked);
    Reader reader =
        new InputStreamReader(
            unmarked,
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT));
    return (XMLStreamReader2) FACTORY.createXMLStreamReader(reader);
  }

  /** Skips a byte order mark and returns its number of bytes. */
  static int skipByteOrderMark(PushbackInputStream in) throws IOException {
    byte[] head = new byte[BYTE_ORDER_MARK.length];
    int length = in.readNBytes(head, 0, head.length);
    if (Arrays.equals(head, BYTE_ORDER_MARK)) {
      return length;
    }
    in.unread(head, 0, length);
    return 0;
  }

  /** Returns whether the parser met bytes that are no characters. */
  static boolean isOfAnotherEncoding(Exception thrown) {
    Throwable e = thrown instanceof WstxLazyException ? thrown.getCause() : thrown;
    return e instanceof XMLStreamException xml
        && xml.getNestedException() instanceof CharacterCodingException;
  }

  /**
   * @param thrown the parser's {@link XMLStreamException}, or the exception that wraps one during
   *     lazy parsing
   * @throws IOException if reading itself failed
   */
  static UnusableFoxmlException notWellFormed(Exception thrown) throws IOException {
    Throwable e = thrown instanceof WstxLazyException ? thrown.getCause() : thrown;
    if (e instanceof XMLStreamException xml
        && xml.getNestedException() instanceof IOException io
        && !(io instanceof CharConversionException)
        && !(io instanceof CharacterCodingException)) {
      throw io;
    }
    return new UnusableFoxmlException(XmlFault.of(e));
  }
}
