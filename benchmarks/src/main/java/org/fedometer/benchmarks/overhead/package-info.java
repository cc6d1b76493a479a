/** What one timed call costs the thread that makes it, beside what others take for it. */
package org.fedometer.benchmarks.overhead;
