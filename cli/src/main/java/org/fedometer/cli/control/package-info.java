/** Commands to a load that goes on in another process. */
package org.fedometer.cli.control;
