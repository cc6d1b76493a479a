/** The network side: cuts a connection's bytes into frames and minds its manners. */
package org.fedometer.collector.receive;
