package org.fedometer.datasets;

import com.ctc.wstx.api.WstxInputProperties;
import com.ctc.wstx.stax.WstxInputFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;

/**
 * Safe parsing of a user's documents, whatever their content: reads no DTD, fetches nothing,
 * expands no entity, and accepts any length.
 */
public final class SafeXml {

  private SafeXml() {}

  /** Returns a factory of parsers that do not keep a complete text in memory. Thread-safe. */
  public static WstxInputFactory factory() {
    WstxInputFactory factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setProperty(WstxInputProperties.P_MAX_CHARACTERS, Long.MAX_VALUE);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("external entity " + systemId + " is not read");
        });
    return factory;
  }
}
