/** What Fedora's JVM and its host tell of themselves, read at even intervals. */
package org.fedometer.agent.core.telemetry;
