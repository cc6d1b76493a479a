package org.fedometer.cli.option;

import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

public final class FedoraUrlConverter implements ITypeConverter<URI> {

  @Override
  public URI convert(String value) {
    try {
      URI address = new URI(value);
      String scheme = address.getScheme();
      if (address.getHost() != null && ("http".equals(scheme) || "https".equals(scheme))) {
        return address;
      }
      if (address.getHost() == null && address.getRawAuthority() != null) {
        throw new TypeConversionException(
            "'"
                + value
                + "': '"
                + address.getRawAuthority()
                + "' is not a valid host: a name has letters, digits and hyphens only; give"
                + " another name of the host, or its IP address");
      }
    } catch (URISyntaxException e) {
      // The position of the error does not help if the scheme is missing.
    }
    throw new TypeConversionException(
        "'"
            + value
            + "' is no address of a Fedora; give one that begins with http:// or https://, such as"
            + " http://127.0.0.1:8080/fedora");
  }
}
