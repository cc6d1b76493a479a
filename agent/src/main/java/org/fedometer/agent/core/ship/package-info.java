/**
 * From the rings of Fedora's threads to the collector's client: the drainer, and what packs
 * samples, lines and readings into frames.
 */
package org.fedometer.agent.core.ship;
