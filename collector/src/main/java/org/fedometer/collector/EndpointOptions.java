package org.fedometer.collector;

import java.net.InetSocketAddress;
import org.fedometer.collector.receive.AccessRules;
import org.fedometer.collector.receive.TlsFiles;

/**
 * Where a collector listens, and to whom.
 *
 * @param listen port 0 for the one that the store's last collector had, or a free one if that is
 *     taken
 * @param http where those who ask by HTTP are listened to, or null; port 0 for a free one
 * @param tls what the collector proves with who it is, or null to take plain connections
 */
public record EndpointOptions(
    InetSocketAddress listen, InetSocketAddress http, TlsFiles tls, AccessRules access) {
  /** Takes plain connections of sources and readers, and answers nobody by HTTP. */
  public static EndpointOptions at(InetSocketAddress listen) {
    return new EndpointOptions(listen, null, null, AccessRules.defaults());
  }

  public EndpointOptions withHttp(InetSocketAddress value) {
    return new EndpointOptions(listen, value, tls, access);
  }

  public EndpointOptions withTls(TlsFiles value) {
    return new EndpointOptions(listen, http, value, access);
  }

  public EndpointOptions withAccess(AccessRules value) {
    return new EndpointOptions(listen, http, tls, value);
  }
}
