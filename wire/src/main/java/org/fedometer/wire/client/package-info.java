/**
 * The client side: {@link org.fedometer.wire.client.CollectorClient} sends frames and keeps them
 * until the collector has stored them. {@link org.fedometer.wire.client.CollectorReader} sends
 * queries.
 */
package org.fedometer.wire.client;
