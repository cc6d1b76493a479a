package org.fedometer.collector;

import java.net.InetSocketAddress;
import org.fedometer.collector.receive.AccessRules;
import org.fedometer.collector.receive.TlsFiles;

/**
 * Addresses a collector listens on, and their access rules.
 *
 * @param listen port 0 for the port of the store's last collector,or a free portif that is in use
 * @param http address of the HTTP endpoint, or null for none; port 0 for a free one
 * @param tls the collector's certificate and key, or null for plain connections
 */
public record EndpointOptions(
    InetSocketAddress listen, InetSocketAddress http, TlsFiles tls, AccessRules access) {
  /** Returns options for plain connections of sources and readers, without HTTP. */
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
