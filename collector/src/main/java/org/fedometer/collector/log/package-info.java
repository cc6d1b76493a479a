/**
 * A collector's log: lines safe for terminals, in rotated files, with repeated failures logged ever
 * more rarely.
 */
package org.fedometer.collector.log;
