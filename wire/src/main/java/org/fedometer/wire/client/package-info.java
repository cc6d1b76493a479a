/**
 * The sender's end: {@link org.fedometer.wire.client.CollectorClient} sends frames and keeps them
 * until the collector has them on disk, {@link org.fedometer.wire.client.CollectorReader} asks.
 */
package org.fedometer.wire.client;
