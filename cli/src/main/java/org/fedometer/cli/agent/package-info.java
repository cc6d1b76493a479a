/** Commands about a JVM that an agent measures, or could. */
package org.fedometer.cli.agent;
