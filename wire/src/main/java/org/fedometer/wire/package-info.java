/**
 * What travels between a measured process and the collector: the frame format, here; the payloads
 * in {@code session} and {@code record}; {@link org.fedometer.wire.client.CollectorClient}, which
 * sends frames and keeps them until the collector has them on disk. {@code
 * docs/developers/protocol.md} describes every byte. Needs the JDK only (Java 8), since it also
 * runs inside Fedora's JVM.
 *
 * <p>Every {@code decode} reads the rest of a buffer, whose position stays, and checks each length
 * before it allocates.
 */
package org.fedometer.wire;
