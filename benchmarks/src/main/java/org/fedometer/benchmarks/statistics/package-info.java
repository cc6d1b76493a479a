/** How long a comparison takes, and how far its intervals and verdicts can be relied on. */
package org.fedometer.benchmarks.statistics;
