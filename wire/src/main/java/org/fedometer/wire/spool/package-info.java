/** Frames on the disk of the sender for as long as the collector has not got them. */
package org.fedometer.wire.spool;
