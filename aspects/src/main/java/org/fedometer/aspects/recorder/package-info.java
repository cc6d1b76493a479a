/**
 * Buffers between Fedora's threads, which measure, and the agent's drainer, which empties them: one
 * ring per thread. Each method names its thread.
 */
package org.fedometer.aspects.recorder;
