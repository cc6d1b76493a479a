/** The agent in a real Fedora under load: what recording costs there, and what attaching does. */
package org.fedometer.benchmarks.fedora;
