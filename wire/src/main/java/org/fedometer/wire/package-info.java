/**
 * What travels between a measured process and the collector: the frame format, one encoder and
 * decoder for each kind of payload, and {@link org.fedometer.wire.CollectorClient}, which sends
 * frames and keeps them until the collector has them on disk. {@code docs/wire.md} describes every
 * byte. Needs the JDK only (Java 8), since it also runs inside Fedora's JVM.
 */
package org.fedometer.wire;
