/** The network side: splits connections' bytes into frames and enforces limits. */
package org.fedometer.collector.receive;
