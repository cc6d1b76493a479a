/** A run's stack: installation, start, restart, and description. */
package org.fedometer.experiments.stack;
