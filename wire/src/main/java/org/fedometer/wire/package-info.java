/**
 * The protocol between a measured process and the collector. This package has the frame format;
 * {@code session} and {@code record} have the payloads. {@link
 * org.fedometer.wire.client.CollectorClient} sends frames and keeps them until the collector has
 * stored them. {@code docs/developers/protocol.md} describes every byte. Needs only the JDK (Java
 * 8), since it also runs inside Fedora's JVM.
 *
 * <p>Every {@code decode} reads the rest of a buffer, leaves its position, and checks each length
 * before it allocates.
 */
package org.fedometer.wire;
