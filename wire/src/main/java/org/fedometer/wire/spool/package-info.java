/** Frames on the sender's disk until the collector has stored them. */
package org.fedometer.wire.spool;
