/**
 * What travels between a measured process and the collector: the frame format, one encoder and
 * decoder for each kind of payload, and {@link org.fedometer.wire.CollectorClient}, which sends
 * frames and keeps them until the collector has them on disk. {@code docs/wire.md} describes every
 * byte. Needs the JDK only (Java 8), since it also runs inside Fedora's JVM.
 *
 * <p>Every {@code decode} reads the rest of a buffer, whose position stays, and checks each length
 * before it allocates. Behind payloads of a session, such as WELCOME, fields of later versions are
 * passed over; behind those that are stored nothing may follow.
 */
package org.fedometer.wire;
